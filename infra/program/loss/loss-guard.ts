import { DamagedData } from '../../../contracts/engine/damaged-data';
import { EngineUnavailable, type EngineBehind } from '../../../contracts/engine/engine-unavailable';
import { BEGINNING, type Position } from '../../../contracts/position';
import { sleep } from '../../../contracts/retry/retry';
import type { StoredProgress } from '../../../contracts/engine/stored-progress';
import type { Engines } from '../../engines/engines';
import type { Check } from '../health/health';

type Detect = () => Promise<EngineBehind | null>;

/** Keeps a program from writing to an event store or a log that has lost data. Once found, that lasts until a restart. */
export interface LossGuard {
  /** The engines, which refuse to append and to publish after a loss. */
  readonly engines: Engines;
  /** The last position that this program has read or written. */
  known(): readonly StoredProgress[];
  /** What was found; null while nothing is missing. */
  found(): EngineBehind | null;
  /** @throws EngineBehind */
  assertComplete(): void;
  /** Looks once, then at intervals until the signal. `onFound` is called once at most. Resolves after the first look. */
  watch(detect: Detect, onFound: (behind: EngineBehind) => void, signal: AbortSignal): Promise<void>;
  readonly check: Check;
}

const WATCH_MS = 10_000;
/** A node of a cluster may be behind the others for a moment. */
const CONFIRMATIONS = 3;

/** @param confirmMs between the looks that confirm a loss */
export function guardAgainstLoss(engines: Engines, confirmMs = 1_000): LossGuard {
  let position: Position = BEGINNING;
  let behind: EngineBehind | null = null;
  let look = async (): Promise<void> => undefined;

  const assertComplete = (): void => {
    if (behind) throw behind;
  };
  const guarded = withGuard(engines, {
    assertComplete,
    last: () => position,
    reached: newer => {
      position = Math.max(position, newer);
    },
    look: () => look(),
  });

  return {
    engines: guarded,
    known: () => [{ reader: 'this program', partition: null, seen: position }],
    found: () => behind,
    assertComplete,

    async watch(detect, onFound, signal) {
      look = async () => {
        const found = behind ? null : await confirmed(detect, confirmMs, signal);
        if (!found || behind) return;
        behind = found;
        onFound(found);
      };
      const lookAgain = (): Promise<void> =>
        look().catch((error: unknown) => {
          // An engine that does not answer, or what is damaged, says nothing of the rest; both are reported elsewhere.
          if (!(error instanceof EngineUnavailable || error instanceof DamagedData)) throw error;
        });
      await lookAgain();
      void (async () => {
        while (!signal.aborted && !behind) {
          await sleep(WATCH_MS, signal);
          if (!signal.aborted) await lookAgain().catch(() => undefined);
        }
      })();
    },

    check: {
      name: 'lost_data',
      vital: true,
      neededBy: 'writes',
      run: async () => behind?.message ?? null,
    },
  };
}

interface Guard {
  /** @throws EngineBehind */
  assertComplete(): void;
  /** The last position that this program has read or written. */
  last(): Position;
  reached(position: Position): void;
  /** Looks for a loss at once. */
  look(): Promise<void>;
}

/** The engines, whose appends and publications are refused after a loss, and which look for one where a position is missing. */
function withGuard(engines: Engines, guard: Guard): Engines {
  const { store, log } = engines;
  /** A loss is confirmed before anything else is read or acknowledged. */
  const assertNotBefore = async (expected: Position): Promise<void> => {
    if ((await store.end()) < expected) await guard.look();
    guard.assertComplete();
  };
  return {
    ...engines,
    store: {
      ...store,
      async append(...append) {
        guard.assertComplete();
        const before = guard.last();
        const appended = await store.append(...append);
        // Or it repeats an earlier append.
        if (appended.position <= before) await assertNotBefore(before);
        guard.reached(appended.position);
        return appended;
      },
      async *subscribe(options) {
        if (options.after > BEGINNING) await assertNotBefore(options.after);
        for await (const batch of store.subscribe(options)) {
          guard.reached(batch.position);
          yield batch;
        }
      },
    },
    log: {
      ...log,
      async publish(...publication) {
        guard.assertComplete();
        await log.publish(...publication);
      },
    },
  };
}

/** What is missing in as many looks, one after the other, as confirm a loss; null when one of them finds nothing. */
async function confirmed(
  detect: Detect,
  confirmMs: number,
  signal: AbortSignal,
): Promise<EngineBehind | null> {
  for (let confirmations = 1; ; confirmations++) {
    const found = await detect();
    if (!found || confirmations === CONFIRMATIONS || signal.aborted) return found;
    await sleep(confirmMs, signal);
  }
}
