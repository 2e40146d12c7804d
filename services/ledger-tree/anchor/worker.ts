import { setTimeout as pause } from 'node:timers/promises';
import type { Job, Jobs, NewJob } from '../../../contracts/ports/jobs';
import type { Checkpoint } from '../../../contracts/ledger-tree/checkpoint';
import { createBackoff } from '../../../contracts/retry/backoff';
import { EXPIRY_MARGIN, VALID_FOR } from '../../wallet-v5/message';
import { anchorNewest } from './anchor-newest';
import type { AnchorDeps } from './deps';
import { proveFurther } from './prove-further';

const QUEUE = 'ledger-anchor';
const SCHEDULE = 'newest';

/** Between two looks at a message that is on its way: it is soon in a block, or not soon. */
const [MIN_POLL_MS, MAX_POLL_MS] = [1_000, 10_000];
/** Twice as long as it takes until it is known that a message is in no block. A later job goes on from there. */
const MAX_WAIT_MS = 2_000 * (VALID_FOR + EXPIRY_MARGIN);

/** Anchors the newest head now, beside the regular times. */
export const ANCHOR_NOW: NewJob = { queue: QUEUE, id: 'now', data: {} };

export interface AnchorWorkerDeps extends AnchorDeps {
  readonly jobs: Pick<Jobs, 'schedule' | 'work'>;
  readonly everyMs: number;
  /** Told after each run why it has failed; null when it has not. */
  readonly onRun: (error: unknown) => void;
}

/** Anchors the newest head regularly, and whenever `ANCHOR_NOW` asks for it, until the signal. */
export async function workAnchors(deps: AnchorWorkerDeps, signal: AbortSignal): Promise<void> {
  await deps.jobs.schedule({ queue: QUEUE, id: SCHEDULE, everyMs: deps.everyMs, data: {} });
  await deps.jobs.work({ queue: QUEUE, signal }, async job => {
    try {
      await runJob(deps, job);
      deps.onRun(null);
    } catch (error) {
      if (!job.signal.aborted) deps.onRun(error);
      throw error;
    }
  });
}

/** No job is left in the job engine where heads are not anchored any more. */
export function stopAnchors({ jobs }: { readonly jobs: Pick<Jobs, 'unschedule'> }): Promise<void> {
  return jobs.unschedule(QUEUE, SCHEDULE);
}

/** What is anchored is proven also where the next head cannot be: the wallet may have too few coins. */
async function runJob(deps: AnchorDeps, { signal }: Job): Promise<void> {
  const goal = await deps.checkpoints.latest();
  if (!goal) return;
  try {
    await anchorInTime(deps, goal, signal);
  } finally {
    await proveFurther(deps, signal);
  }
}

/** What is signed meanwhile is for the next job. */
async function anchorInTime(deps: AnchorDeps, goal: Checkpoint, signal: AbortSignal): Promise<void> {
  const backoff = createBackoff(MIN_POLL_MS, MAX_POLL_MS);
  for (let waited = 0; waited < MAX_WAIT_MS;) {
    if (await anchorNewest(deps, goal)) return;
    const wait = backoff.next();
    await pause(wait, undefined, { signal });
    waited += wait;
  }
  throw new Error('whether the head of the ledger is on the chain is not known yet');
}
