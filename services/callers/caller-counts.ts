/** How many of something each caller has at the moment. */
export interface CallerCounts {
  readonly all: number;
  of(caller: string): number;
  /** @param weight as how many it counts; default 1 @returns counts it out, once */
  add(caller: string, weight?: number): () => void;
}

export function createCallerCounts(): CallerCounts {
  const counts = new Map<string, number>();
  let all = 0;
  return {
    get all() {
      return all;
    },
    of: caller => counts.get(caller) ?? 0,
    add(caller, weight = 1) {
      counts.set(caller, (counts.get(caller) ?? 0) + weight);
      all += weight;
      let isCounted = true;
      return () => {
        if (!isCounted) return;
        isCounted = false;
        all -= weight;
        const left = counts.get(caller)! - weight;
        if (left > 0) counts.set(caller, left);
        else counts.delete(caller);
      };
    },
  };
}
