import { setTimeout as pause } from 'node:timers/promises';
import { isPassing, unavailable } from './failures';

export interface Client {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

export interface Renewable<Used> {
  /**
   * Does the work, again if need be until the patience is over, so it must be fit to be repeated.
   * @throws EngineUnavailable for what the library throws
   */
  use<Result>(work: (client: Used) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

const SHORTEST_PAUSE = 50;
const LONGEST_PAUSE = 1000;

/**
 * A connected client, made when it is first needed. One that failed is thrown away: what kafkajs remembers of brokers
 * and leaders that have gone is not always corrected by those that came after them.
 * @param patience milliseconds
 */
export function renewable<Used extends Client>(create: () => Used, patience: number): Renewable<Used> {
  let current: Promise<Used> | null = null;
  const connect = async (): Promise<Used> => {
    const client = create();
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.disconnect().catch(() => undefined);
      throw error;
    }
  };
  const discard = async (used: Promise<Used>): Promise<void> => {
    if (current === used) current = null;
    await used.then(client => client.disconnect()).catch(() => undefined);
  };

  return {
    use: async work => {
      const deadline = Date.now() + patience;
      for (let wait = SHORTEST_PAUSE; ; wait = Math.min(wait * 2, LONGEST_PAUSE)) {
        const used = (current ??= connect());
        try {
          return await work(await used);
        } catch (error) {
          const known = unavailable(error);
          if (known === error) throw error;
          void discard(used);
          if (!isPassing(error) || Date.now() + wait > deadline) throw known;
        }
        await pause(wait);
      }
    },
    close: async () => {
      if (current) await discard(current);
    },
  };
}
