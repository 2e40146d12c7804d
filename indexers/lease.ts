import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { CheckpointMoved, type Checkpoint, type Documents } from '../contracts/ports/documents';

/** Runs something that only one process may run at a time, while it holds the lease of that name. */
export type Exclusively = (
  name: string,
  run: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
) => Promise<void>;

export interface Leases {
  readonly exclusively: Exclusively;
  /** Whether this process has the lease now. */
  holds(name: string): boolean;
}

/** What is known of a lease of ours: what it says, and since when others may have seen it say so. */
interface Holding {
  value: Checkpoint;
  since: number;
}

/** What a lease that was given back says. */
const FREE: Checkpoint = { position: 0 };

const key = (name: string): string => `lease/${name}`;

/**
 * Leases as checkpoints: whoever moves one from what everybody sees to his own name has it, and moves it again to keep
 * it. No clocks are compared: a lease that nobody has moved for `lease` milliseconds by the watch of the one who waits
 * is taken over. A holder that could not renew stops itself before that, also while a renewal still hangs. A process
 * that was frozen may run on for a moment beside its successor, so what is written under a lease expects what it found:
 * the lease only spares the work of the one that would lose.
 */
export function leases(documents: Documents, lease = 10_000): Leases {
  const owner = randomUUID();
  const held = new Set<string>();
  const renewEvery = lease / 5;
  const isOurs = (value: Checkpoint | null): value is Checkpoint =>
    value !== null && 'offsets' in value && owner in value.offsets;

  const move = async (name: string, expect: Checkpoint | null, value: Checkpoint): Promise<boolean> => {
    try {
      await documents.commit({ writes: [], checkpoint: { name: key(name), value, expect } });
      return true;
    } catch (error) {
      if (error instanceof CheckpointMoved) return false;
      throw error;
    }
  };

  /** Resolves once the lease is ours. Documents that do not answer are waited for. */
  const take = async (name: string, signal: AbortSignal): Promise<Holding> => {
    const value: Checkpoint = { offsets: { [owner]: 0 } };
    let seen: Checkpoint | null | undefined;
    let seenSince = 0;
    for (;;) {
      signal.throwIfAborted();
      const since = performance.now();
      try {
        const now = await documents.checkpoint(key(name));
        if (seen === undefined || !isDeepStrictEqual(now, seen)) {
          seen = now;
          seenSince = performance.now();
        }
        // What we held and could not renew nobody else has taken: nothing of ours runs under it any more.
        const isFree = now === null || isDeepStrictEqual(now, FREE) || isOurs(now);
        const isStale = performance.now() - seenSince >= lease;
        if ((isFree || isStale) && (await move(name, now, value))) return { value, since };
      } catch {
        seen = undefined;
      }
      await pause(renewEvery / 2, undefined, { signal });
    }
  };

  /** Moves the lease on. False when it is somebody else's; a move of ours that was not acknowledged is found again. */
  const renew = async (name: string, holding: Holding, n: number): Promise<boolean> => {
    const since = performance.now();
    const value: Checkpoint = { offsets: { [owner]: n } };
    if (!(await move(name, holding.value, value))) {
      const stored = await documents.checkpoint(key(name));
      if (!isOurs(stored) || !(await move(name, stored, value))) return false;
    }
    Object.assign(holding, { value, since });
    return true;
  };

  /** Renews until the signal, and tells when the lease is lost, or may be soon. */
  const keep = async (
    name: string,
    holding: Holding,
    signal: AbortSignal,
    lost: () => void,
  ): Promise<void> => {
    let alarm: NodeJS.Timeout | undefined;
    const arm = (): void => {
      clearTimeout(alarm);
      alarm = setTimeout(lost, holding.since + lease - 2 * renewEvery - performance.now());
    };
    arm();
    for (let n = 1; ; n++) {
      await pause(renewEvery, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) break;
      try {
        if (await renew(name, holding, n)) arm();
        else lost();
      } catch {
        // The documents do not answer. When they do not in time, the alarm goes off.
      }
    }
    clearTimeout(alarm);
  };

  const hold = async (
    name: string,
    run: (signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> => {
    const holding = await take(name, signal);
    const over = new AbortController();
    const own = AbortSignal.any([signal, over.signal]);
    const keeping = keep(name, holding, own, () => over.abort());
    held.add(name);
    try {
      await run(own);
    } finally {
      held.delete(name);
      over.abort();
      await keeping;
      // Given back at once, so that the next one need not wait for it to run out.
      await move(name, holding.value, FREE).catch(() => false);
    }
  };

  return {
    holds: name => held.has(name),
    async exclusively(name, run, signal) {
      while (!signal.aborted)
        await hold(name, run, signal).catch((error: unknown) => {
          if (!signal.aborted) throw error;
        });
    },
  };
}
