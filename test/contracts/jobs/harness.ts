import type { Job, Jobs, WorkOptions } from '../../../contracts/ports/jobs';
import { createHarness, type Harness, type Open } from '../harness';

export { until } from '../../until';

export interface JobsHarness extends Harness<Jobs> {
  /** Starts a worker of the queue `q`, stopped after the test. */
  work(jobs: Jobs, handle: (job: Job) => Promise<void> | void, options?: Partial<WorkOptions>): Worker;
}

export interface Worker {
  stop(): void;
  readonly ended: Promise<void>;
}

/** Stops the workers and closes the clients after each test. */
export function createJobsHarness(open: Open<Jobs>): JobsHarness {
  let workers: Worker[] = [];
  const harness = createHarness(open, async () => {
    for (const worker of workers) worker.stop();
    await Promise.all(workers.map(worker => worker.ended));
    workers = [];
  });
  return {
    ...harness,
    work: (jobs, handle, options = {}) => {
      const controller = new AbortController();
      const ended = jobs.work({ queue: 'q', signal: controller.signal, ...options }, async job =>
        handle(job),
      );
      const worker = { stop: () => controller.abort(), ended };
      workers.push(worker);
      return worker;
    },
  };
}

export interface Latch {
  readonly opened: Promise<void>;
  open(): void;
}

export function latch(): Latch {
  let open = (): void => {};
  const opened = new Promise<void>(resolve => (open = resolve));
  return { opened, open };
}

export async function idle(jobs: Jobs): Promise<boolean> {
  const { waiting, running } = await jobs.counts('q');
  return waiting + running === 0;
}
