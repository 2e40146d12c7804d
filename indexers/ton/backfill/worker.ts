import type { Logger } from 'pino';
import { WATCH_CATEGORY, watchEvents } from '../../../contracts/events/watch';
import type { EventStore, RecordedEvent } from '../../../contracts/ports/event-store';
import type { Jobs, NewJob } from '../../../contracts/ports/jobs';
import { BackfillJob, backfillJob, workBackfills } from '../../backfill-jobs';
import type { BackfillShares } from '../../backfill-shares';
import { ACCOUNT_STARTS } from '../watched-accounts';
import { backfill, type BackfillDeps } from './backfill';
import { BACKFILLS } from './progress';

/** Enqueues the backfill of every watched account. */
export const tonBackfillReaction = {
  name: 'ton-backfill',
  categories: [WATCH_CATEGORY],
  from: 'beginning',
  jobs(event: RecordedEvent): NewJob[] {
    const { type, data } = watchEvents.read(event);
    if (type !== 'AccountWatched' || data.chain !== 'ton') return [];
    const { network, address, watch } = data;
    return [backfillJob('ton', { network, address, watch, isFirst: true, sequence: 0, failures: 0 })];
  },
} as const;

export interface BackfillWorkerDeps extends BackfillDeps {
  readonly jobs: Jobs;
  readonly store: Pick<EventStore, 'readStream'>;
  readonly logger: Logger;
  readonly shares?: BackfillShares;
  /** Histories read at a time; default 5. */
  readonly concurrency?: number;
}

/** Pages of 20 transactions: the longest page that can be asked for. */
const FIRST_PAGES = 5;

/** Runs the backfill jobs of a network until the signal. */
export async function workTonBackfills(deps: BackfillWorkerDeps, signal: AbortSignal): Promise<void> {
  const { concurrency = 5 } = deps;
  await deps.documents.declare([ACCOUNT_STARTS, BACKFILLS]);
  await workBackfills({
    ...deps,
    chain: 'ton',
    schema: BackfillJob,
    concurrency,
    signal,
    async read({ address, watch, isFirst }, stop, metrics) {
      const maxPages = isFirst ? Math.min(deps.maxPages ?? FIRST_PAGES, FIRST_PAGES) : deps.maxPages;
      const reading = { ...deps, metrics, ...(maxPages !== undefined && { maxPages }) };
      return (await backfill(reading, { address, watch }, stop)) ? null : 0;
    },
  });
}
