import { openSqliteJobs } from '../../infra/engines/jobs/sqlite/sqlite-jobs';

/** Works on `q` and sends each run to its parent; a job with `hang` in its data never ends. */
const work = async (path: string, leaseMs: number): Promise<void> => {
  const jobs = openSqliteJobs({ path });
  const signal = new AbortController().signal;
  await jobs.work({ queue: 'q', concurrency: 2, leaseMs, signal }, async ({ id, attempt, data }) => {
    process.send!({ id, attempt });
    await new Promise(resolve => (data.hang ? undefined : setTimeout(resolve, 2)));
  });
};

void work(process.argv[2]!, Number(process.argv[3]));
