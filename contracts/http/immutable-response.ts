const marked = new WeakSet();

/**
 * Marks a response as one that will never change, and returns it: an object returned for several requests is serialised
 * once. If a marked object changed later, the old bytes would be sent.
 */
export function immutable<T extends object>(answer: T): T {
  marked.add(answer);
  return answer;
}

/** Whether a response was marked by `immutable`. */
export function isImmutable(answer: unknown): answer is object {
  return typeof answer === 'object' && answer !== null && marked.has(answer);
}
