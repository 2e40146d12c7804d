import { Queue, Worker } from 'bullmq';
import type { NewJob } from '../../../contracts/ports/jobs';

const PREFIX = 'bare';

const connectionTo = (url: string) => ({ url, maxRetriesPerRequest: null });

export interface BareQueue {
  add(job: NewJob): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * BullMQ with the options of a job of the port: deduplicated by id until it is done, five attempts, removed afterwards.
 */
export function openBareQueue(url: string): (name: string) => BareQueue {
  return name => {
    const queue = new Queue(name, { connection: connectionTo(url), prefix: PREFIX });
    return {
      add: ({ id, data }) =>
        queue.add('job', data, {
          deduplication: { id },
          attempts: 5,
          backoff: { type: 'exponential', delay: 1_000 },
          removeOnComplete: true,
          removeOnFail: true,
        }),
      close: () => queue.close(),
    };
  };
}

export async function runBareWorker(
  url: string,
  name: string,
  concurrency: number,
  handle: () => void,
): Promise<{ close(): Promise<void> }> {
  const worker = new Worker(name, async () => handle(), {
    connection: connectionTo(url),
    prefix: PREFIX,
    concurrency,
  });
  await worker.waitUntilReady();
  return worker;
}
