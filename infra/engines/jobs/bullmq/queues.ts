import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { type AddBatcher, createAddBatcher } from './add-batching';
import type { JobData } from './stored-job';

/** The BullMQ queues of our queues, opened when they are first used. */
export interface Queues {
  get(queue: string): Promise<Queue<JobData>>;
  batcher(queue: string): Promise<AddBatcher>;
  /** Names of all queues that any process has opened. */
  names(): Promise<string[]>;
  /** Resolves when no addition is pending. */
  drained(): Promise<void>;
}

/** BullMQ allows no colon in the name of a queue. */
export function queueName(queue: string): string {
  return encodeURIComponent(queue);
}

/** BullMQ writes every state change of a job to a stream, which nothing here reads. */
const MAX_EVENTS = 100;

export function openQueues(connection: Redis, prefix: string): Queues {
  // BullMQ has no list of its queues.
  const namesKey = `${prefix}:queues`;
  const opened = new Map<string, Promise<Queue<JobData>>>();
  const batchers = new Map<Queue<JobData>, AddBatcher>();
  const open = async (name: string): Promise<Queue<JobData>> => {
    const queue = new Queue<JobData>(queueName(name), {
      connection,
      prefix,
      streams: { events: { maxLen: MAX_EVENTS } },
    });
    // The Redis client logs its own errors.
    queue.on('error', () => undefined);
    await queue.waitUntilReady();
    await connection.sadd(namesKey, name);
    batchers.set(queue, createAddBatcher(queue));
    return queue;
  };
  const get = (name: string): Promise<Queue<JobData>> => {
    const known = opened.get(name);
    if (known) return known;
    const opening = open(name);
    opened.set(name, opening);
    opening.catch(() => opened.delete(name));
    return opening;
  };
  return {
    get,
    async batcher(name) {
      return batchers.get(await get(name))!;
    },
    names: async () => (await connection.smembers(namesKey)).sort(),
    async drained() {
      await Promise.all(Array.from(batchers.values(), batcher => batcher.drained()));
    },
  };
}
