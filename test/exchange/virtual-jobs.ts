import { once } from 'node:events';
import { validateJob } from '../../infra/engines/jobs/validation';
import { retryDelay } from '../../infra/engines/jobs/timing';
import type { Job, Jobs, NewJob, WorkOptions } from '../../contracts/ports/jobs';

interface Waiting {
  readonly job: Required<NewJob>;
  readonly at: number;
  readonly attempt: number;
}

interface Worker {
  readonly options: WorkOptions;
  readonly handle: (job: Job) => Promise<void>;
}

/** A double of the jobs whose time passes when the test says so. Completed ids are not kept. */
export class VirtualJobs implements Pick<Jobs, 'add' | 'work'> {
  readonly waiting = new Map<string, Waiting>();
  private readonly workers = new Set<Worker>();
  private turn = 0;

  constructor(public now: number) {}

  readonly clock = (): Date => new Date(this.now);

  async add(job: NewJob): Promise<boolean> {
    const key = `${job.queue}/${job.id}`;
    if (this.waiting.has(key)) return false;
    this.waiting.set(key, {
      job: JSON.parse(JSON.stringify(validateJob(job))) as Required<NewJob>,
      at: this.now + (job.delayMs ?? 0),
      attempt: 1,
    });
    return true;
  }

  async work(options: WorkOptions, handle: Worker['handle']): Promise<void> {
    const worker = { options, handle };
    this.workers.add(worker);
    if (!options.signal.aborted) await once(options.signal, 'abort');
    this.workers.delete(worker);
  }

  /** Lets time pass, and runs what becomes due. @param between called after each moment at which jobs ran */
  async advance(ms: number, between: () => Promise<void> = async () => undefined): Promise<void> {
    const end = this.now + ms;
    await between();
    for (;;) {
      const next = Math.min(...[...this.waiting.values()].map(({ at }) => at));
      if (next > end) break;
      this.now = Math.max(this.now, next);
      await Promise.all(this.claim());
      await between();
    }
    this.now = end;
  }

  private claim(): Promise<void>[] {
    const due = [...this.waiting].filter(([, { at }]) => at <= this.now);
    return due.map(([key, claimed]) => this.run(key, claimed));
  }

  private async run(key: string, { job, attempt }: Waiting): Promise<void> {
    const workers = [...this.workers].filter(({ options }) => options.queue === job.queue);
    const worker = workers[this.turn++ % workers.length];
    if (!worker) throw new Error(`nothing works on ${job.queue}`);
    // The id is taken while the job runs.
    this.waiting.set(key, { job, attempt, at: Infinity });
    try {
      await worker.handle({
        queue: job.queue,
        id: job.id,
        data: job.data,
        attempt,
        signal: worker.options.signal,
      });
      this.waiting.delete(key);
    } catch {
      const at = this.now + retryDelay(job.backoffMs, attempt);
      if (attempt < job.attempts) this.waiting.set(key, { job, at, attempt: attempt + 1 });
      else this.waiting.delete(key);
    }
  }
}
