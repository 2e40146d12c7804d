import { z } from 'zod';
import { CARD_ACCOUNT_CATEGORY, cardAccountEvents } from '../../../contracts/events/card-account';
import { ATTEMPTS_FOR_A_WEEK, type Jobs } from '../../../contracts/ports/jobs';
import type { Reaction } from '../../reactions/event-reaction';
import { archiveTransactions, DROPPED_AFTER_MS, oldTransactions, type ArchiveDeps } from './archive';

export const CARD_ARCHIVES = 'card-archives';

const archiveJob = z.object({ accountId: z.string() });

/**
 * Starts a job each time that the state of an account was recorded with something old in it, which is archived, and when it has so much in it
 * that it buys nothing more.
 */
export const cardArchives: Reaction = {
  name: CARD_ARCHIVES,
  categories: [CARD_ACCOUNT_CATEGORY],
  from: 'beginning',
  jobs(recorded) {
    const { id, type, data } = cardAccountEvents.read(recorded);
    const isDue =
      (type === 'CardAccountCarriedForward' && oldTransactions(data.transactions, data.at).length > 0) ||
      (type === 'CardPurchaseDeclined' && data.reason === 'too_many_transactions');
    const job = { accountId: data.accountId };
    return isDue ? [{ queue: CARD_ARCHIVES, id, data: job, attempts: ATTEMPTS_FOR_A_WEEK }] : [];
  },
};

/** Archives transactions until the signal. */
export function workArchives(
  deps: ArchiveDeps & { readonly jobs: Pick<Jobs, 'add' | 'work'> },
  signal: AbortSignal,
): Promise<void> {
  return deps.jobs.work({ queue: CARD_ARCHIVES, signal }, async ({ data }) => {
    const { accountId } = archiveJob.parse(data);
    if (!(await archiveTransactions(deps, accountId))) return;
    const due = Math.ceil(deps.clock().getTime() / DROPPED_AFTER_MS) + 1;
    await deps.jobs.add({
      queue: CARD_ARCHIVES,
      id: `${accountId}/${due}`,
      data: { accountId },
      attempts: ATTEMPTS_FOR_A_WEEK,
      delayMs: due * DROPPED_AFTER_MS - deps.clock().getTime(),
    });
  });
}
