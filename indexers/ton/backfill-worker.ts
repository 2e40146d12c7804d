import type { Logger } from 'pino';
import type { Jobs } from '../../contracts/ports/jobs';
import { backfillTurn, type BackfillDeps } from './backfill';
import { backfillJob, backfillQueue, BackfillTurn } from './backfill-job';
import { BACKFILL_COLLECTIONS } from './backfill-progress';
import { messageOf } from './errors';
import { TAIL_COLLECTIONS } from './state';

export interface BackfillWorkerDeps extends BackfillDeps {
  readonly jobs: Jobs;
  readonly logger: Logger;
  /** Histories read at a time; default 4. */
  readonly concurrency?: number;
}

const LONGEST_PAUSE = 60_000;

/** Works off the histories that are asked for, until the signal. A source that fails delays a history and never ends it. */
export async function workTonBackfills(deps: BackfillWorkerDeps, signal: AbortSignal): Promise<void> {
  const { network, jobs, documents, logger, concurrency = 4 } = deps;
  await documents.declare([...TAIL_COLLECTIONS, ...BACKFILL_COLLECTIONS]);
  await jobs.work({ queue: backfillQueue(network), concurrency, signal }, async job => {
    const turn = BackfillTurn.parse(job.data);
    const again = (failures: number, delay: number): Promise<boolean> =>
      jobs.add(backfillJob({ ...turn, turn: turn.turn + 1, failures }, delay));
    try {
      if (!(await backfillTurn(deps, turn.address, job.signal))) await again(0, 0);
    } catch (error) {
      job.signal.throwIfAborted();
      const { address, failures } = turn;
      logger.warn({ network, address, failures, reason: messageOf(error) }, 'back-fill is held up');
      await again(failures + 1, Math.min(1_000 * 2 ** failures, LONGEST_PAUSE));
    }
  });
}
