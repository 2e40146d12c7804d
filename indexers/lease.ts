import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { CheckpointMoved, type Checkpoint, type Documents } from '../contracts/ports/documents';

/** Runs something that only one process may run at a time, while it holds the lease of that name. */
export type RunExclusively = (
  name: string,
  run: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
) => Promise<void>;

export interface Leases {
  readonly runExclusively: RunExclusively;
  /** Whether this process has the lease now. */
  holds(name: string): boolean;
}

export interface LeaseOptions {
  /** How long a lease that is not renewed is respected; default 10,000. */
  readonly leaseMs?: number;
  /** Between two renewals; default a fifth of the lease. */
  readonly renewMs?: number;
}

/** A lease held by this process: its stored value, and the time from which other processes may have seen it. */
interface Holding {
  value: Checkpoint;
  since: number;
}

/** The value of a released lease. */
const FREE: Checkpoint = { position: 0 };

const checkpointOf = (name: string): string => `lease/${name}`;

/**
 * Leases as checkpoints: a process acquires one by changing it from the value that it read to one of its own, and renews
 * it by changing it again. No clocks are compared: a lease that has not changed for `leaseMs` by the clock of the waiting
 * process is taken over. A holder that cannot renew stops itself before that, also while a renewal hangs. A process that
 * was suspended may run briefly at the same time as its successor, so writes under a lease expect what they read: the
 * lease only saves the work of the process that would be refused.
 */
export function leases(
  documents: Documents,
  { leaseMs = 10_000, renewMs = leaseMs / 5 }: LeaseOptions = {},
): Leases {
  const owner = randomUUID();
  const held = new Set<string>();
  const isOurs = (value: Checkpoint | null): value is Checkpoint =>
    value !== null && 'offsets' in value && owner in value.offsets;

  const move = async (name: string, expect: Checkpoint | null, value: Checkpoint): Promise<boolean> => {
    try {
      await documents.commit({ writes: [], checkpoint: { name: checkpointOf(name), value, expect } });
      return true;
    } catch (error) {
      if (error instanceof CheckpointMoved) return false;
      throw error;
    }
  };

  /** Resolves once the lease is ours; retries while the documents are unavailable. */
  const acquire = async (name: string, signal: AbortSignal): Promise<Holding> => {
    const value: Checkpoint = { offsets: { [owner]: 0 } };
    let seen: Checkpoint | null | undefined;
    let seenSince = 0;
    for (;;) {
      signal.throwIfAborted();
      const since = performance.now();
      try {
        const now = await documents.checkpoint(checkpointOf(name));
        if (seen === undefined || !isDeepStrictEqual(now, seen)) {
          seen = now;
          seenSince = performance.now();
        }
        // One that we could not renew can be acquired again immediately: what ran under it has stopped.
        const isFree = now === null || isDeepStrictEqual(now, FREE) || isOurs(now);
        const isStale = performance.now() - seenSince >= leaseMs;
        if ((isFree || isStale) && (await move(name, now, value))) return { value, since };
      } catch {
        seen = undefined;
      }
      await sleep(renewMs / 2, undefined, { signal });
    }
  };

  /** False when another process has the lease; a renewal of ours that was not acknowledged is recognised. */
  const renew = async (name: string, holding: Holding, n: number): Promise<boolean> => {
    const since = performance.now();
    const value: Checkpoint = { offsets: { [owner]: n } };
    if (!(await move(name, holding.value, value))) {
      const stored = await documents.checkpoint(checkpointOf(name));
      if (!isOurs(stored) || !(await move(name, stored, value))) return false;
    }
    Object.assign(holding, { value, since });
    return true;
  };

  /** Renews until the signal, and calls `onLost` when the lease is lost or is about to expire. */
  const keepRenewing = async (
    name: string,
    holding: Holding,
    signal: AbortSignal,
    onLost: () => void,
  ): Promise<void> => {
    let expiry: NodeJS.Timeout | undefined;
    const restartExpiry = (): void => {
      clearTimeout(expiry);
      expiry = setTimeout(onLost, holding.since + leaseMs - 2 * renewMs - performance.now());
    };
    restartExpiry();
    for (let n = 1; ; n++) {
      await sleep(renewMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) break;
      try {
        if (await renew(name, holding, n)) restartExpiry();
        else onLost();
      } catch {
        // The documents are unavailable: retried until the lease expires.
      }
    }
    clearTimeout(expiry);
  };

  const runUnderLease = async (
    name: string,
    run: (signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> => {
    const holding = await acquire(name, signal);
    const lost = new AbortController();
    const either = AbortSignal.any([signal, lost.signal]);
    setMaxListeners(0, either); // one for each wait of what runs
    const renewing = keepRenewing(name, holding, either, () => lost.abort());
    held.add(name);
    try {
      await run(either);
    } finally {
      held.delete(name);
      lost.abort();
      await renewing;
      // Released at once, so that the next process need not wait for it to expire.
      await move(name, holding.value, FREE).catch(() => false);
    }
  };

  return {
    holds: name => held.has(name),
    async runExclusively(name, run, signal) {
      while (!signal.aborted)
        await runUnderLease(name, run, signal).catch((error: unknown) => {
          if (!signal.aborted) throw error;
        });
    },
  };
}
