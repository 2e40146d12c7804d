import type { Documents } from '../../contracts/ports/documents';
import { sleep } from '../../contracts/retry/retry';
import { partitionProgress, type Generation } from './generation';
import type { RecordCache } from './record-cache';

/** The generation of each projection that this program reads from. */
export interface ReadGenerations {
  /** Null until the projection has run for the first time. */
  get(projection: string): Promise<Generation | null>;
  /** The known one, without reading. */
  peek(projection: string): Generation | null;
  /** Calls back when the generation that is read has become another one. @returns a function that unsubscribes */
  onSwitch(projection: string, listener: () => void): () => void;
  /** Reads the record and switches to its live generation at once: for a read whose generation was dropped. */
  refresh(projection: string): Promise<Generation | null>;
}

const CATCH_UP_POLL_MS = 5;
/** After this time reads switch to the new generation although it has not caught up. */
const CATCH_UP_TIMEOUT_MS = 10_000;

/**
 * Follows the records with a delay: after a switch, reads continue on the old generation until it is frozen and the new
 * one has folded as much, so that no reader gets an older answer after a newer one.
 */
export function createReadGenerations(
  documents: Documents,
  records: RecordCache,
  signal: AbortSignal,
): ReadGenerations {
  const current = new Map<string, Generation>();
  const switching = new Set<string>();
  const listeners = new Map<string, Set<() => void>>();

  const setCurrent = (projection: string, generation: Generation): void => {
    const before = current.get(projection);
    current.set(projection, generation);
    if (before?.generation === generation.generation) return;
    for (const listener of [...(listeners.get(projection) ?? [])]) listener();
  };

  const switchTo = async (projection: string, from: Generation, to: Generation): Promise<void> => {
    switching.add(projection);
    const deadline = Date.now() + CATCH_UP_TIMEOUT_MS;
    while (
      !signal.aborted &&
      Date.now() < deadline &&
      !(await covers(documents, to, from).catch(() => false))
    )
      await sleep(CATCH_UP_POLL_MS, signal);
    // Not when `refresh` has switched already.
    if (current.get(projection) === from) setCurrent(projection, to);
    switching.delete(projection);
    // There may have been another switch meanwhile.
    await follow(projection);
  };

  const follow = async (projection: string): Promise<void> => {
    const live = await records.get(projection);
    const old = current.get(projection);
    if (!live || live.generation === old?.generation || switching.has(projection)) return;
    if (old) void switchTo(projection, old, live);
    else setCurrent(projection, live);
  };

  const stop = records.onRefresh(() => {
    for (const projection of new Set([...current.keys(), ...listeners.keys()])) void follow(projection);
  });
  signal.addEventListener('abort', stop, { once: true });

  return {
    async get(projection) {
      const known = current.get(projection);
      if (known) return known;
      if (!(await records.get(projection))) await records.refresh();
      await follow(projection);
      return current.get(projection) ?? null;
    },

    peek: projection => current.get(projection) ?? null,

    onSwitch(projection, listener) {
      const known = listeners.get(projection) ?? new Set();
      listeners.set(projection, known.add(listener));
      return () => void known.delete(listener);
    },

    async refresh(projection) {
      await records.refresh();
      const live = await records.get(projection);
      if (live) setCurrent(projection, live);
      return live;
    },
  };
}

/** Whether the old generation is frozen, and the new one has seen at least as much in every partition. */
async function covers(documents: Documents, newer: Generation, older: Generation): Promise<boolean> {
  const before = await partitionProgress(documents, older);
  const after = await partitionProgress(documents, newer);
  return [...before].every(
    ([partition, { seen, frozen }]) => frozen && (after.get(partition)?.seen ?? seen) >= seen,
  );
}
