import type { Logger } from 'pino';
import type { Jobs } from '../../../contracts/ports/jobs';
import { GASLESS_OUTCOMES, outcomesJob, outcomesJobData } from './jobs';
import { recordOutcomes, type OutcomeDeps } from './record-outcomes';

export interface OutcomeWorkerDeps extends OutcomeDeps {
  readonly jobs: Pick<Jobs, 'add' | 'work'>;
  readonly logger: Pick<Logger, 'error'>;
}

const CONCURRENCY = 4;
const LEASE_MS = 10_000;
/** A quarter of an hour after the message, at which every trace is known or abandoned. */
const LATE_RUN = 11;

/** Records what became of what was sent on, until the signal. */
export function workGaslessOutcomes(deps: OutcomeWorkerDeps, signal: AbortSignal): Promise<void> {
  return deps.jobs.work(
    { queue: GASLESS_OUTCOMES, concurrency: CONCURRENCY, leaseMs: LEASE_MS, signal },
    async ({ data }) => {
      const job = outcomesJobData.parse(data);
      const unknown = await recordOutcomes(deps, job);
      if (unknown === 0) return;
      const { network, messageHash, run } = job;
      if (run >= LATE_RUN)
        deps.logger.error({ network, messageHash, unknown }, 'outcome of gasless transfers not known');
      await deps.jobs.add(outcomesJob(job, run + 1));
    },
  );
}
