/** The leases of the jobs that a worker is running. */
export interface Leases {
  /** Starts the lease of a job that was just claimed. */
  acquire(id: string, token: string): Lease;
  /** Aborts the signals of all leases. */
  abortAll(): void;
  close(): void;
}

export interface Lease {
  /** Aborted when the lease is lost, and by `abortAll`. */
  readonly signal: AbortSignal;
  readonly lost: boolean;
  release(): void;
}

/** Extends leases. @returns the ids of jobs whose lease another worker has, or none */
export type Extend = (ids: string[], tokens: string[], leaseMs: number) => Promise<string[]>;

interface HeldLease extends Lease {
  readonly token: string;
  renewed(at: number): void;
  lose(): void;
  abort(): void;
}

/**
 * Replaces BullMQ's own renewal, which does not notify a handler that its lease has ended while Redis is not available:
 * here a lease that is not renewed ends by the clock.
 */
export function createLeases(leaseMs: number, extend: Extend): Leases {
  const held = new Map<string, HeldLease>();

  const createLease = (id: string, token: string): HeldLease => {
    // Created on demand: few handlers use the signal, and an AbortController is expensive to create and to collect.
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
    let timer = setTimeout(lose, leaseMs);
    const renewed = (at: number): void => {
      clearTimeout(timer);
      timer = setTimeout(lose, Math.max(0, leaseMs - (Date.now() - at)));
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

  let renewing = false;
  const renew = async (): Promise<void> => {
    const leases = [...held];
    if (renewing || leases.length === 0) return;
    renewing = true;
    const at = Date.now();
    try {
      const ids = leases.map(([id]) => id);
      const tokens = leases.map(([, { token }]) => token);
      const lostIds = new Set(await extend(ids, tokens, leaseMs));
      for (const [id, lease] of leases)
        if (held.get(id) === lease) {
          if (lostIds.has(id)) lease.lose();
          else lease.renewed(at);
        }
    } catch {
      // The leases end by the clock.
    } finally {
      renewing = false;
    }
  };
  const renewal = setInterval(() => void renew(), leaseMs / 3);

  return {
    acquire(id, token) {
      const lease = createLease(id, token);
      held.set(id, lease);
      return lease;
    },
    abortAll: () => {
      for (const lease of held.values()) lease.abort();
    },
    close: () => clearInterval(renewal),
  };
}
