import { z } from 'zod';
import {
  CARD_ACCOUNT_CATEGORY,
  cardAccountEvents,
  cardTransfer,
  type CardTransfer,
} from '../../../contracts/events/card-account';
import { isVestingDeposit } from '../../../contracts/events/card-vesting';
import { ATTEMPTS_FOR_A_WEEK, type Jobs, type NewJob } from '../../../contracts/ports/jobs';
import type { Reaction } from '../../reactions/event-reaction';
import { receiveVestingDeposit } from '../vesting/deposit';
import { receiveTransfer } from './transfer';

export const CARD_TRANSFERS = 'card-transfers';

const transferJobData = z.object({ transactionId: z.string(), transfer: cardTransfer });

/** Has a transfer received. @param id of the event that has sent it */
export function transferJob(id: string, transactionId: string, transfer: CardTransfer): NewJob {
  const data: z.output<typeof transferJobData> = { transactionId, transfer };
  return { queue: CARD_TRANSFERS, id, data, attempts: ATTEMPTS_FOR_A_WEEK };
}

/** Starts a job for each transfer that was sent: should a crash have kept it from being received, the job does it. */
export const cardTransfers: Reaction = {
  name: CARD_TRANSFERS,
  categories: [CARD_ACCOUNT_CATEGORY],
  from: 'beginning',
  jobs(recorded) {
    const { type, data } = cardAccountEvents.read(recorded);
    if (type !== 'CardTransferSent') return [];
    const { transactionId, from, to, rate } = data;
    return [transferJob(recorded.id, transactionId, { from, to, rate })];
  },
};

/** Receives transfers until the signal. */
export function workTransfers(
  deps: Parameters<typeof receiveTransfer>[0] & { readonly jobs: Pick<Jobs, 'work'> },
  signal: AbortSignal,
): Promise<void> {
  return deps.jobs.work({ queue: CARD_TRANSFERS, signal }, async ({ data }) => {
    const { transactionId, transfer } = transferJobData.parse(data);
    const receive = isVestingDeposit(transactionId) ? receiveVestingDeposit : receiveTransfer;
    await receive(deps, transactionId, transfer);
  });
}
