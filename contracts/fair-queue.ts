/** Calls that wait for one thing, of which callers take turns. */
export interface FairQueue<Call> {
  readonly size: number;
  /**
   * Lets a call wait. In a full queue the caller with most calls loses its newest one to a caller with fewer.
   * @returns the call that does not wait any more, which may be the given one; null when there is room for all
   */
  add(caller: string, call: Call): Call | null;
  /**
   * Takes the next call out: callers take turns, each with its oldest call. Undefined when none waits.
   * @param mayBegin false: the call is passed over for now. Default: all may
   */
  next(mayBegin?: (call: Call) => boolean): Call | undefined;
  /** Takes out a call that does not want to wait any more. */
  remove(caller: string, call: Call): void;
}

/** @param max calls of all callers together */
export function createFairQueue<Call>(max: number): FairQueue<Call> {
  /** Whose turn it is comes first. */
  const byCaller = new Map<string, Call[]>();
  let size = 0;

  function takeOut(caller: string, index: number): Call | undefined {
    const calls = byCaller.get(caller);
    const [call] = calls?.splice(index, 1) ?? [];
    if (call === undefined) return undefined;
    size -= 1;
    if (calls!.length === 0) byCaller.delete(caller);
    return call;
  }

  function heaviest(): { readonly caller: string; readonly count: number } {
    let most = { caller: '', count: 0 };
    for (const [caller, { length: count }] of byCaller) if (count > most.count) most = { caller, count };
    return most;
  }

  return {
    get size() {
      return size;
    },
    add(caller, call) {
      const calls = byCaller.get(caller) ?? [];
      let displaced: Call | null = null;
      if (size >= max) {
        const most = heaviest();
        // Of callers with as many calls the one that came first keeps its place.
        if (most.count <= calls.length + 1) return call;
        displaced = takeOut(most.caller, -1)!;
      }
      calls.push(call);
      byCaller.set(caller, calls);
      size += 1;
      return displaced;
    },
    next(mayBegin = () => true) {
      for (const [caller, calls] of byCaller) {
        const index = calls.findIndex(mayBegin);
        if (index < 0) continue;
        const call = takeOut(caller, index);
        byCaller.delete(caller);
        if (calls.length > 0) byCaller.set(caller, calls);
        return call;
      }
      return undefined;
    },
    remove(caller, call) {
      const index = byCaller.get(caller)?.indexOf(call) ?? -1;
      if (index >= 0) takeOut(caller, index);
    },
  };
}
