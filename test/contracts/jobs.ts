import type { Jobs } from '../../contracts/ports/jobs';
import { describeAdding } from './jobs/adding';
import { describeFailures } from './jobs/failures';
import { createJobsHarness } from './jobs/harness';
import type { Open } from './harness';
import { describeSchedules } from './jobs/schedules';
import { describeStopping } from './jobs/stopping';
import { describeWorkers } from './jobs/workers';

/**
 * The contract of the jobs port, for every adapter.
 *
 * @param open opens the jobs with a name that is new for each test; twice with one name gives two clients of the same
 * jobs
 */
export function describeJobs(name: string, open: Open<Jobs>): void {
  describe(`jobs in ${name}`, () => {
    const harness = createJobsHarness(open);
    describeAdding(harness);
    describeWorkers(harness);
    describeFailures(harness);
    describeSchedules(harness);
    describeStopping(harness);
  });
}
