import type { Position } from '../../contracts/position';
import type { Views } from '../views';

/**
 * A point in the recorded history: a position of the event store, or an instant (RFC 3339 UTC with milliseconds), or the
 * earlier of the two; without either, the present. An instant is one of recording, by the clock of the store, and has
 * nothing to do with the dates of fees.
 */
export interface Moment {
  readonly position?: Position;
  readonly instant?: string;
}

/**
 * The ledger as it stood. What is in it as of a position: every event of the ledger up to it, that one included. As of
 * an instant: every event before the first one that was recorded after the instant. Where the clock of the store was
 * set back, this leaves out events behind that first one whatever time they bear, and so the ledger as of an instant
 * stays the same from the moment that anything later is recorded.
 */
export interface AsOf {
  /**
   * Works out an answer from the documents as they were: what the projections of this program make of the events up to
   * the moment. The views are good until the answer is there. `position` is the one that was asked for, or with an instant
   * that of the last event of the ledger that is in it: asked for again, it gives the same answer for ever.
   * @throws BeyondHead, AsOfNotReady
   */
  read<Answer>(
    moment: Moment,
    answer: (views: Views, position: Position) => Promise<Answer>,
  ): Promise<Answer>;
}

/** Nothing has been recorded at the position yet. */
export class BeyondHead extends Error {
  override readonly name = 'BeyondHead';
  constructor(readonly head: Position) {
    super(`the last event recorded has position ${head}`);
  }
}

/** It takes longer than a caller waits, or too much else is to be done first; what was begun goes on. */
export class AsOfNotReady extends Error {
  override readonly name = 'AsOfNotReady';
}
