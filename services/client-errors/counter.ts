import { hasShareLeft } from '../../contracts/bound';
import type { Logger } from 'pino';
import { sleep } from '../../contracts/retry/retry';
import type { Batch, PendingError } from './batch';
import { addCounts, addVersions, type Counted } from './counts';
import type { ScrubbedReport } from './report';
import type { ClientErrorStore } from './store';

/** Errors that wait in one process to be stored; reports of further ones are counted together. */
const MAX_PENDING = 500;

interface CounterDeps {
  readonly store: Pick<ClientErrorStore, 'add'>;
  /** Names this run of the process. */
  readonly process: string;
  readonly clock: () => Date;
}

/** Counts errors in memory, so that a flood of reports is a few writes a minute. What is not flushed a crash loses. */
export interface ErrorCounter {
  /** @param source that reports it @returns whether it counts for its error, or among others */
  add(report: ScrubbedReport, source: string): 'counted' | 'other';
  /** Stores what was counted. After a failure it is stored by the next call. Not to be called concurrently. */
  flush(): Promise<void>;
}

/** A counter for one run of a process, with nothing counted. */
export function createErrorCounter({ store, process, clock }: CounterDeps): ErrorCounter {
  let pending = new Map<string, PendingError>();
  /** Of them, how many each source was the first to report. */
  let pendingOf = new Map<string, number>();
  let other: Counted | null = null;
  let number = 0;
  let batch: Batch | null = null;

  const take = (): Batch | null => {
    if (pending.size === 0 && !other) return null;
    const taken = { number: (number += 1), errors: [...pending.values()], other };
    pending = new Map();
    pendingOf = new Map();
    other = null;
    return taken;
  };

  return {
    add({ fingerprint, platform, appVersion, ...sample }, source) {
      const at = clock().toISOString();
      const once = { count: 1, firstAt: at, lastAt: at };
      const known = pending.get(fingerprint);
      const own = pendingOf.get(source) ?? 0;
      if (!known && !hasShareLeft(MAX_PENDING, pending.size, own)) {
        other = other ? addCounts(other, once) : once;
        return 'other';
      }
      if (!known) pendingOf.set(source, own + 1);
      pending.set(fingerprint, {
        fingerprint,
        source: known?.source ?? source,
        sample,
        first: known?.first ?? { at, ...sample },
        ...(known ? addCounts(known, once) : once),
        versions: addVersions(known?.versions ?? [], [{ platform, appVersion, count: 1 }]),
      });
      return 'counted';
    },

    async flush() {
      while ((batch ??= take())) {
        await store.add(process, batch);
        batch = null;
      }
    },
  };
}

/** Flushes at an interval, and at the signal for the last time; resolves then. */
export async function keepFlushing(
  counter: Pick<ErrorCounter, 'flush'>,
  { intervalMs, logger }: { readonly intervalMs: number; readonly logger: Pick<Logger, 'warn'> },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await sleep(intervalMs, signal);
    await counter.flush().catch((err: unknown) => logger.warn({ err }, 'client errors could not be stored'));
  }
}
