import { LRUCache } from 'lru-cache';
import { BEGINNING, parsePosition, type Position } from '../../contracts/position';
import { Problem } from '../../contracts/problem/problem';
import type { AnyCall, Reply } from './call';
import { callerKey } from './limits';
import { createShares } from './shares';

/** Reads that wait for a position, of all endpoints of a process. */
export interface PositionReads {
  /**
   * Runs a read with `X-Min-Position`, whose signal ends its wait when its place is taken by another caller.
   * @throws Problem 400 at once when nothing was recorded at the position; 503 `not_ready` when the caller has its share of places
   */
  run<T>(call: PositionCall, read: () => Promise<T>): Promise<T>;
  /** From now on reads of a caller with a token include what this call has recorded, also those that name no position. */
  recorded(call: AnyCall, reply: Reply<unknown>): void;
}

type PositionCall = AnyCall & { signal: AbortSignal; minPosition: Position | null };

/** Callers whose last change is known. */
export const MAX_WRITERS = 1_000;

const RETRY_AFTER_S = 1;

/**
 * @param end the last position, with all that was recorded before the call: asked once for all who wait for its answer, and never
 * about a position that is known
 * @param max places; 0 is no limit
 */
export function createPositionReads(end: () => Promise<Position>, max: number): PositionReads {
  const shares = createShares(max);
  let known = BEGINNING;
  let asked: Promise<unknown> = Promise.resolve();
  let next: Promise<Position> | null = null;
  const lastOf = new LRUCache<string, Position>({ max: MAX_WRITERS });

  /** What is asked already may miss what was recorded since: all who come meanwhile share the next answer. */
  const askNext = (): Promise<Position> =>
    (next ??= (async () => {
      await asked.catch(() => undefined);
      next = null;
      const answer = end();
      asked = answer;
      return answer;
    })());

  async function expectRecorded(position: Position): Promise<void> {
    if (position > known) known = Math.max(known, await askNext());
    if (position > known)
      throw Problem.invalid(
        '/header/x-min-position',
        'a position from X-Ledger-Position: nothing was recorded at this one',
        'unknown_position',
      );
  }

  return {
    recorded(call, { headers }) {
      const position = parsePosition(headers['X-Ledger-Position'] ?? '');
      if (!call.principal || position === null) return;
      const key = callerKey(call);
      lastOf.set(key, Math.max(position, lastOf.get(key) ?? BEGINNING));
    },

    async run(call, read) {
      if (call.minPosition !== null) await expectRecorded(call.minPosition);
      const caller = callerKey(call);
      const own = call.principal ? lastOf.get(caller) : undefined;
      if (own !== undefined) call.minPosition = Math.max(own, call.minPosition ?? BEGINNING);
      if (call.minPosition === null) return read();
      const evicted = new AbortController();
      const place = shares.take(caller, () => evicted.abort());
      if (typeof place === 'string')
        throw Problem.unavailable(
          place === 'share'
            ? 'As many reads with X-Min-Position as one caller may have are waiting; try again.'
            : 'As many reads with X-Min-Position as may be are waiting; try again.',
          RETRY_AFTER_S,
        );
      call.signal = AbortSignal.any([call.signal, evicted.signal]);
      return read().finally(place);
    },
  };
}
