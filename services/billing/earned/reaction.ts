import type { RecordedEvent } from '../../../contracts/ports/event-store';
import { ATTEMPTS_FOR_A_WEEK, type NewJob } from '../../../contracts/ports/jobs';
import type { Reaction } from '../../reactions/event-reaction';
import { earnedFeeId, type EarnedFee } from './earned-fee';

export const EARNED_FEES = 'earned-fees';

/** How a service reports its commissions to billing: by the events of its own streams. */
export interface EarningSource {
  /** Name of the checkpoint; must not change. */
  readonly name: string;
  readonly categories: readonly string[];
  /** The commissions of an event; null for events without one. Pure. */
  earned(event: RecordedEvent): EarnedFee | readonly EarnedFee[] | null;
}

const jobFor = (fee: EarnedFee): NewJob => ({
  queue: EARNED_FEES,
  id: earnedFeeId(fee) + (fee.status === 'reversed' || fee.status === 'waived' ? `/${fee.status}` : ''),
  data: fee,
  attempts: ATTEMPTS_FOR_A_WEEK,
});

/** Starts a job for each commission, from the first event on; run it with `runReaction`. */
export function earnedFees({ name, categories, earned }: EarningSource): Reaction {
  return {
    name: `earned-fees/${name}`,
    categories,
    from: 'beginning',
    jobs(event) {
      return [earned(event) ?? []].flat().map(jobFor);
    },
  };
}
