const marked = new WeakSet();

/**
 * Marks an answer as one that will never change again, and answers it. A handler that gives the same marked object for
 * several requests has it serialised once; the mark ends with the object. Marking what changes later serves old bytes.
 */
export function kept<T extends object>(answer: T): T {
  marked.add(answer);
  return answer;
}

/** Whether an answer was marked by `kept`. */
export function isKept(answer: unknown): answer is object {
  return typeof answer === 'object' && answer !== null && marked.has(answer);
}
