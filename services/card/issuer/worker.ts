import { IssuerUnavailable } from '../../../contracts/card-issuer/issuer';
import type { Jobs } from '../../../contracts/ports/jobs';
import { backoffMs } from '../../../contracts/retry/backoff';
import { CARD_ISSUER_QUEUES, issuerJob, issuerJobData } from './jobs';
import { tellIssuer, type TellDeps } from './tell';

/** Of each queue: most of them wait for the issuer. */
const CONCURRENCY = 16;
const LEASE_MS = 30_000;
const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 60_000;

export interface TellingDeps extends TellDeps {
  readonly jobs: Pick<Jobs, 'add' | 'work'>;
  onTold(told: { readonly kind: string; readonly outcome: 'done' | 'unavailable' | 'failed' }): void;
}

/** Tells the issuer what it is to do, until the signal; while it does not answer, again and again. */
export async function workIssuer(deps: TellingDeps, signal: AbortSignal): Promise<void> {
  await Promise.all(CARD_ISSUER_QUEUES.map(queue => workQueue(deps, queue, signal)));
}

function workQueue(deps: TellingDeps, queue: string, signal: AbortSignal): Promise<void> {
  const { jobs, onTold } = deps;
  return jobs.work({ queue, concurrency: CONCURRENCY, leaseMs: LEASE_MS, signal }, async job => {
    const { id, run, task } = issuerJobData.parse(job.data);
    const { kind } = task;
    try {
      await tellIssuer(deps, task, job.signal);
      onTold({ kind, outcome: 'done' });
    } catch (error) {
      const isAway = error instanceof IssuerUnavailable;
      onTold({ kind, outcome: isAway ? 'unavailable' : 'failed' });
      if (!isAway) throw error;
      await jobs.add(issuerJob(id, run + 1, task, backoffMs(run, FIRST_RETRY_MS, MAX_RETRY_MS)));
    }
  });
}
