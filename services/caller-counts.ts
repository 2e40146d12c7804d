/** How many of something each caller has at the moment. */
export interface CallerCounts {
  readonly all: number;
  of(caller: string): number;
  /** @returns counts it out, once */
  add(caller: string): () => void;
}

export function createCallerCounts(): CallerCounts {
  const counts = new Map<string, number>();
  let all = 0;
  return {
    get all() {
      return all;
    },
    of: caller => counts.get(caller) ?? 0,
    add(caller) {
      counts.set(caller, (counts.get(caller) ?? 0) + 1);
      all += 1;
      let isCounted = true;
      return () => {
        if (!isCounted) return;
        isCounted = false;
        all -= 1;
        const left = counts.get(caller)! - 1;
        if (left > 0) counts.set(caller, left);
        else counts.delete(caller);
      };
    },
  };
}
