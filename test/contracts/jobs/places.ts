import type { Job, Jobs, WorkOptions } from '../../../contracts/ports/jobs';
import { type Open, type Places as PlacesOf, placesOf } from '../places';

export { until } from '../../until';

export interface Places extends PlacesOf<Jobs> {
  /** Works on the queue `q` until the test is over. */
  work(jobs: Jobs, handle: (job: Job) => Promise<void> | void, options?: Partial<WorkOptions>): Worker;
}

export interface Worker {
  stop(): void;
  readonly ended: Promise<void>;
}

/** Stops and closes after each test what the test started. */
export function jobsAt(open: Open<Jobs>): Places {
  let workers: Worker[] = [];
  const places = placesOf(open, async () => {
    for (const worker of workers) worker.stop();
    await Promise.all(workers.map(worker => worker.ended));
    workers = [];
  });
  return {
    ...places,
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

export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

export function gate(): Gate {
  let open = (): void => {};
  const opened = new Promise<void>(resolve => (open = resolve));
  return { opened, open };
}

export async function idle(jobs: Jobs): Promise<boolean> {
  const { waiting, running } = await jobs.counts('q');
  return waiting + running === 0;
}
