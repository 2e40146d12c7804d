import { earlyPaymentStream } from '../../../../contracts/events/early-payment';
import { FEE_CATEGORY, feeEvents } from '../../../../contracts/events/fee';
import type { EventStore } from '../../../../contracts/ports/event-store';
import type { Reaction } from '../../../reactions/event-reaction';
import { ATTEMPTS } from '../reaction';
import type { EarlyPaymentJob } from './worker';

export const EARLY_FEE_PAYMENTS = 'early-fee-payments';

type Store = Pick<EventStore, 'readStream'>;

/** Asks for another look at what was paid for a fee before it was recorded as pending, where anything was. */
export function earlyPaymentReaction(store: Store): Reaction {
  return {
    name: EARLY_FEE_PAYMENTS,
    categories: [FEE_CATEGORY],
    from: 'beginning',
    async jobs(event) {
      const { type, data } = feeEvents.read(event);
      if (type !== 'FeeRecorded' || data.collection_status !== 'pending') return [];
      // Few fees were: a job for each of the others would cost far more than this look.
      if (!(await isThere(store, earlyPaymentStream(data.id)))) return [];
      const job: EarlyPaymentJob = { fee: data.id };
      return [{ queue: EARLY_FEE_PAYMENTS, id: `recorded/${data.id}`, data: job, attempts: ATTEMPTS }];
    },
  };
}

async function isThere(store: Store, stream: string): Promise<boolean> {
  for await (const _event of store.readStream(stream, { limit: 1 })) return true;
  return false;
}
