import type { Documents } from '../../contracts/ports/documents';
import { reachOf, type Generation } from './generation';
import { pause } from './pause';
import type { Records } from './records';

/** Which generation of each projection reads are served from in this program. */
export interface Serving {
  /** Null until the projection has run for the first time. */
  generation(projection: string): Promise<Generation | null>;
  /** The one at hand. */
  peek(projection: string): Generation | null;
  /** The live one by the record, read anew: for a read that found its generation gone. */
  renew(projection: string): Promise<Generation | null>;
}

/** Milliseconds between two looks whether the new generation has caught up, and before it is served all the same. */
const LOOK_EVERY = 5;
const LOOK_FOR = 10_000;

/**
 * Follows the records, a step behind: when a pointer has moved, reads stay with the old generation until it is sealed
 * and the new one has seen all that it had, so no reader is given an older answer after a newer one.
 */
export function createServing(documents: Documents, records: Records, signal: AbortSignal): Serving {
  const served = new Map<string, Generation>();
  const moving = new Set<string>();

  const move = async (projection: string, from: Generation, to: Generation): Promise<void> => {
    moving.add(projection);
    const deadline = Date.now() + LOOK_FOR;
    while (
      !signal.aborted &&
      Date.now() < deadline &&
      !(await covers(documents, to, from).catch(() => false))
    )
      await pause(LOOK_EVERY, signal);
    // Unless a read that found the old one gone has already moved on.
    if (served.get(projection) === from) served.set(projection, to);
    moving.delete(projection);
    // Another switch may have come meanwhile.
    await follow(projection);
  };

  const follow = async (projection: string): Promise<void> => {
    const live = await records.get(projection);
    const current = served.get(projection);
    if (!live || live.generation === current?.generation || moving.has(projection)) return;
    if (current) void move(projection, current, live);
    else served.set(projection, live);
  };

  const stop = records.onRefresh(() => {
    for (const projection of served.keys()) void follow(projection);
  });
  signal.addEventListener('abort', stop, { once: true });

  return {
    async generation(projection) {
      const current = served.get(projection);
      if (current) return current;
      if (!(await records.get(projection))) await records.refresh();
      await follow(projection);
      return served.get(projection) ?? null;
    },

    peek: projection => served.get(projection) ?? null,

    async renew(projection) {
      await records.refresh();
      const live = await records.get(projection);
      if (live) served.set(projection, live);
      return live;
    },
  };
}

/** Whether the old generation can advance no more, and the new one has seen at least as much in every lane. */
async function covers(documents: Documents, newer: Generation, older: Generation): Promise<boolean> {
  const was = await reachOf(documents, older);
  const now = await reachOf(documents, newer);
  return [...was].every(([lane, { seen, sealed }]) => sealed && (now.get(lane)?.seen ?? seen) >= seen);
}
