import { z } from 'zod';
import {
  CARD_ACCOUNT_CATEGORY,
  cardAccountEvents,
  cardTransfer,
} from '../../../contracts/events/card-account';
import { ATTEMPTS_FOR_A_WEEK, type Jobs } from '../../../contracts/ports/jobs';
import type { Reaction } from '../../reactions/event-reaction';
import { receiveTransfer } from './transfer';

export const CARD_TRANSFERS = 'card-transfers';

const transferJob = z.object({ transactionId: z.string(), transfer: cardTransfer });

/** Starts a job for each transfer that was sent: should a crash have kept it from being received, the job does it. */
export const cardTransfers: Reaction = {
  name: CARD_TRANSFERS,
  categories: [CARD_ACCOUNT_CATEGORY],
  from: 'beginning',
  jobs(recorded) {
    const { type, data } = cardAccountEvents.read(recorded);
    if (type !== 'CardTransferSent') return [];
    const { transactionId, from, to, rate } = data;
    const job: z.output<typeof transferJob> = { transactionId, transfer: { from, to, rate } };
    return [{ queue: CARD_TRANSFERS, id: recorded.id, data: job, attempts: ATTEMPTS_FOR_A_WEEK }];
  },
};

/** Receives transfers until the signal. */
export function workTransfers(
  deps: Parameters<typeof receiveTransfer>[0] & { readonly jobs: Pick<Jobs, 'work'> },
  signal: AbortSignal,
): Promise<void> {
  return deps.jobs.work({ queue: CARD_TRANSFERS, signal }, async ({ data }) => {
    const { transactionId, transfer } = transferJob.parse(data);
    await receiveTransfer(deps, transactionId, transfer);
  });
}
