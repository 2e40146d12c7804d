import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { type Adder, createAdder } from './adder';
import type { Stored } from './stored-job';

/** BullMQ's side of our queues, made when they are first asked for. */
export interface Queues {
  get(queue: string): Promise<Queue<Stored>>;
  /** How jobs are added to it. */
  adder(queue: string): Promise<Adder>;
  /** Resolves when all adding that is under way was answered. */
  added(): Promise<void>;
}

/** A colon means something in the names of BullMQ. */
export function queueName(queue: string): string {
  return encodeURIComponent(queue);
}

/** BullMQ tells every step of every job in a stream, which nobody here reads. */
const EVENTS = 100;

export function openQueues(connection: Redis, prefix: string): Queues {
  const opened = new Map<string, Promise<Queue<Stored>>>();
  const adders = new Map<Queue<Stored>, Adder>();
  const open = async (name: string): Promise<Queue<Stored>> => {
    const queue = new Queue<Stored>(queueName(name), {
      connection,
      prefix,
      streams: { events: { maxLen: EVENTS } },
    });
    // The client tells of its errors itself.
    queue.on('error', () => undefined);
    await queue.waitUntilReady();
    adders.set(queue, createAdder(queue));
    return queue;
  };
  const get = (name: string): Promise<Queue<Stored>> => {
    const known = opened.get(name);
    if (known) return known;
    const opening = open(name);
    opened.set(name, opening);
    opening.catch(() => opened.delete(name));
    return opening;
  };
  return {
    get,
    async adder(name) {
      return adders.get(await get(name))!;
    },
    async added() {
      await Promise.all(Array.from(adders.values(), adder => adder.idle()));
    },
  };
}
