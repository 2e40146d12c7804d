import { openSqliteJobs } from '../../infra/engines/jobs/sqlite/sqlite-jobs';

/** Works on `q` and tells its parent of each run; a job whose data says `hang` never ends. */
const work = async (path: string, lease: number): Promise<void> => {
  const jobs = openSqliteJobs({ path });
  const signal = new AbortController().signal;
  await jobs.work({ queue: 'q', concurrency: 2, lease, signal }, async ({ id, attempt, data }) => {
    process.send!({ id, attempt });
    await new Promise(resolve => (data.hang ? undefined : setTimeout(resolve, 2)));
  });
};

void work(process.argv[2]!, Number(process.argv[3]));
