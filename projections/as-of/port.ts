import type { Position } from '../../contracts/position';
import type { Views } from '../views';

/**
 * A point in the recorded history: a position of the event store, an instant (RFC 3339 UTC with milliseconds), or the
 * earlier of the two; without either, the present. An instant is the time of recording by the clock of the store, not the
 * date of a fee.
 */
export interface Moment {
  readonly position?: Position;
  readonly instant?: string;
}

/**
 * The ledger as of a moment. As of a position it contains every event of the ledger up to and including that position.
 * As of an instant, it contains every event before the first one that was recorded after the instant. If the clock of the
 * store was set back, events after that first one are excluded even if their time is earlier, so that the ledger as of an
 * instant never changes once a later event is recorded.
 */
export interface AsOf {
  /**
   * Computes an answer from the events up to the moment, folded by the projections of this program. The views are valid
   * until `answer` resolves. `position` is that of the moment, or for an instant that of the last event of the ledger:
   * reading as of that position always gives the same answer.
   * @param caller for whom it is read: each has a share of what can be built at a time
   * @throws BeyondHead, AsOfNotReady
   */
  read<Answer>(
    moment: Moment,
    answer: (views: Views, position: Position) => Promise<Answer>,
    caller?: string,
  ): Promise<Answer>;
}

/** The position is after the last event. */
export class BeyondHead extends Error {
  override readonly name = 'BeyondHead';
  constructor(readonly head: Position) {
    super(`the last event recorded has position ${head}`);
  }
}

/** The snapshot takes longer to build than a caller waits, or too many builds are queued, in all or for the caller; a running build continues. */
export class AsOfNotReady extends Error {
  override readonly name = 'AsOfNotReady';
}
