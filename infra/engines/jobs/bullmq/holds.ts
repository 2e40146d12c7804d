/** Jobs that a worker has in hand, each with its lease. */
export interface Holds {
  /** Begins with the lease of a job that was just taken. */
  take(id: string, token: string): Hold;
  /** Tells all handlers to come to an end. */
  abortAll(): void;
  end(): void;
}

export interface Hold {
  /** Fires when the lease is lost, or at `abortAll`. */
  readonly signal: AbortSignal;
  readonly lost: boolean;
  release(): void;
}

/** Asks for longer leases; answers with the jobs that somebody else has, or nobody. */
export type Extend = (ids: string[], tokens: string[], lease: number) => Promise<string[]>;

interface Held extends Hold {
  readonly token: string;
  renewed(at: number): void;
  lose(): void;
  abort(): void;
}

/**
 * BullMQ's own renewal does not tell a handler that its lease is over while Redis is away, when nobody can answer: here
 * the clock does.
 */
export function openHolds(lease: number, extend: Extend): Holds {
  const held = new Map<string, Held>();

  const hold = (id: string, token: string): Held => {
    // Most handlers never look at it, and signals are dear to make and to collect.
    let controller: AbortController | undefined;
    let aborted = false;
    let lost = false;
    const abort = (): void => {
      aborted = true;
      controller?.abort();
    };
    const lose = (): void => {
      lost = true;
      abort();
    };
    let timer = setTimeout(lose, lease);
    const renewed = (at: number): void => {
      clearTimeout(timer);
      timer = setTimeout(lose, Math.max(0, lease - (Date.now() - at)));
    };
    return {
      token,
      get signal() {
        controller ??= new AbortController();
        if (aborted) controller.abort();
        return controller.signal;
      },
      get lost() {
        return lost;
      },
      lose,
      renewed,
      abort,
      release: () => {
        clearTimeout(timer);
        held.delete(id);
      },
    };
  };

  let asking = false;
  const renew = async (): Promise<void> => {
    const asked = [...held];
    if (asking || asked.length === 0) return;
    asking = true;
    const at = Date.now();
    try {
      const ids = asked.map(([id]) => id);
      const tokens = asked.map(([, { token }]) => token);
      const refused = new Set(await extend(ids, tokens, lease));
      for (const [id, job] of asked)
        if (held.get(id) === job) {
          if (refused.has(id)) job.lose();
          else job.renewed(at);
        }
    } catch {
      // The clock goes on.
    } finally {
      asking = false;
    }
  };
  const renewal = setInterval(() => void renew(), lease / 3);

  return {
    take(id, token) {
      const job = hold(id, token);
      held.set(id, job);
      return job;
    },
    abortAll: () => {
      for (const job of held.values()) job.abort();
    },
    end: () => clearInterval(renewal),
  };
}
