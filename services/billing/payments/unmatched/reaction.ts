import { ATTEMPTS_FOR_A_WEEK } from '../../../../contracts/ports/jobs';
import { z } from 'zod';
import { unmatchedPaymentStream } from '../../../../contracts/events/unmatched-payment';
import { FEE_CATEGORY, feeEvents } from '../../../../contracts/events/fee';
import type { EventStore } from '../../../../contracts/ports/event-store';
import type { Reaction } from '../../../reactions/event-reaction';

export const UNMATCHED_FEE_PAYMENTS = 'unmatched-fee-payments';

export const unmatchedPaymentJob = z.object({ fee: z.string() });

type Store = Pick<EventStore, 'readStream'>;

/** Starts a job for each pending fee that has unmatched payments when it is recorded. */
export function unmatchedPaymentReaction(store: Store): Reaction {
  return {
    name: UNMATCHED_FEE_PAYMENTS,
    categories: [FEE_CATEGORY],
    from: 'beginning',
    async jobs(event) {
      const { type, data } = feeEvents.read(event);
      if (type !== 'FeeRecorded' || data.collection_status !== 'pending') return [];
      // Few fees have any, and this read is cheaper than a job for every fee.
      if (!(await exists(store, unmatchedPaymentStream(data.id)))) return [];
      const job: z.input<typeof unmatchedPaymentJob> = { fee: data.id };
      return [
        {
          queue: UNMATCHED_FEE_PAYMENTS,
          id: `recorded/${data.id}`,
          data: job,
          attempts: ATTEMPTS_FOR_A_WEEK,
        },
      ];
    },
  };
}

async function exists(store: Store, stream: string): Promise<boolean> {
  for await (const _event of store.readStream(stream, { limit: 1 })) return true;
  return false;
}
