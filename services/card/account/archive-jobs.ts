import { z } from 'zod';
import { CARD_ACCOUNT_CATEGORY } from '../../../contracts/events/card-account';
import { ATTEMPTS_FOR_A_WEEK, type Jobs } from '../../../contracts/ports/jobs';
import type { Reaction } from '../../reactions/event-reaction';
import { archiveTransactions, type ArchiveDeps } from './archive';

export const CARD_ARCHIVES = 'card-archives';

const archiveJob = z.object({ accountId: z.string() });

/** Starts a job each time that the state of an account was recorded: what is old in it is archived. */
export const cardArchives: Reaction = {
  name: CARD_ARCHIVES,
  categories: [CARD_ACCOUNT_CATEGORY],
  from: 'beginning',
  jobs({ id, type, data }) {
    if (type !== 'CardAccountCarriedForward') return [];
    const job = { accountId: data['accountId'] as string };
    return [{ queue: CARD_ARCHIVES, id, data: job, attempts: ATTEMPTS_FOR_A_WEEK }];
  },
};

/** Archives transactions until the signal. */
export function workArchives(
  deps: ArchiveDeps & { readonly jobs: Pick<Jobs, 'work'> },
  signal: AbortSignal,
): Promise<void> {
  return deps.jobs.work({ queue: CARD_ARCHIVES, signal }, ({ data }) =>
    archiveTransactions(deps, archiveJob.parse(data).accountId),
  );
}
