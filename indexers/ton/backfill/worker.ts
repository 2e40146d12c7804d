import type { Logger } from 'pino';
import { WATCH_CATEGORY } from '../../../contracts/events/watch';
import type { RecordedEvent } from '../../../contracts/ports/event-store';
import type { Jobs, NewJob } from '../../../contracts/ports/jobs';
import { BackfillJob, backfillJob, workBackfills } from '../../backfill-jobs';
import { ACCOUNT_STARTS, watchedTonAccount } from '../watched-accounts';
import { backfill, type BackfillDeps } from './backfill';
import { BACKFILLS } from './progress';

/** Enqueues the backfill of every watched account. */
export const tonBackfillReaction = {
  name: 'ton-backfill',
  categories: [WATCH_CATEGORY],
  from: 'beginning',
  jobs(event: RecordedEvent): NewJob[] {
    const watched = watchedTonAccount(event);
    if (!watched) return [];
    const { network, address } = watched;
    return [backfillJob('ton', { network, address, sequence: 0, failures: 0 })];
  },
} as const;

export interface BackfillWorkerDeps extends BackfillDeps {
  readonly jobs: Jobs;
  readonly logger: Logger;
  /** Histories read at a time; default 4. */
  readonly concurrency?: number;
}

/** Runs the backfill jobs of a network until the signal. */
export async function workTonBackfills(deps: BackfillWorkerDeps, signal: AbortSignal): Promise<void> {
  const { concurrency = 4 } = deps;
  await deps.documents.declare([ACCOUNT_STARTS, BACKFILLS]);
  await workBackfills({
    ...deps,
    chain: 'ton',
    schema: BackfillJob,
    concurrency,
    signal,
    read: async ({ address }, stop) => ((await backfill(deps, address, stop)) ? null : 0),
  });
}
