import { openBullMqJobs } from '../../../infra/engines/jobs/bullmq/bullmq-jobs';

/** Works on `q` and sends each run to its parent; a job with `hang` in its data never ends. */
const work = async (url: string, prefix: string, leaseMs: number): Promise<void> => {
  const jobs = await openBullMqJobs({ url, prefix });
  const signal = new AbortController().signal;
  await jobs.work({ queue: 'q', concurrency: 2, leaseMs, signal }, async ({ id, attempt, data }) => {
    process.send!({ id, attempt });
    await new Promise(resolve => (data.hang ? undefined : setTimeout(resolve, 2)));
  });
};

void work(process.argv[2]!, process.argv[3]!, Number(process.argv[4]));
