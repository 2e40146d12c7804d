import type { RecordedEvent } from '../../../contracts/ports/event-store';
import type { NewJob } from '../../../contracts/ports/jobs';
import type { Reaction } from '../../reactions/event-reaction';
import { earnedFeeId, type EarnedFee } from './earned-fee';

export const EARNED_FEES = 'earned-fees';

/** Runs of a job in all: a week, by waits that double from a second. */
const ATTEMPTS = 20;

/** How a service tells billing what it has earned: by the events of its own streams. */
export interface EarningBusiness {
  /** Names the checkpoint; it stays the same. */
  readonly name: string;
  readonly categories: readonly string[];
  /** What an event has earned; null for events that earn nothing. Pure. */
  earned(event: RecordedEvent): EarnedFee | null;
}

const jobFor = (fee: EarnedFee): NewJob => ({
  queue: EARNED_FEES,
  id: earnedFeeId(fee),
  data: fee,
  attempts: ATTEMPTS,
});

/** Asks for a fee row for everything the business has earned from its beginning on; run it with `runReaction`. */
export function earnedFees({ name, categories, earned }: EarningBusiness): Reaction {
  return {
    name: `earned-fees/${name}`,
    categories,
    from: 'beginning',
    jobs(event) {
      const fee = earned(event);
      return fee ? [jobFor(fee)] : [];
    },
  };
}
