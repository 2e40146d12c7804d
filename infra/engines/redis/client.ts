import { Redis } from 'ioredis';
import type { Logger } from 'pino';

/** Milliseconds. */
const LONGEST_PAUSE = 1_000;

const COMMON = {
  connectTimeout: 5_000,
  disconnectTimeout: 100,
  retryStrategy: (times: number) => Math.min(20 * 2 ** Math.min(times, 10), LONGEST_PAUSE),
  // After a fail-over the old master answers as a replica, until the name or the proxy leads to the new one.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
};

/** Answers within 5 seconds or fails: for those who wait for an answer. */
const PROMPT = { ...COMMON, maxRetriesPerRequest: 2, commandTimeout: 5_000, socketTimeout: 10_000 };

/**
 * Waits for as long as Redis is away, and says again then what was not answered: for workers. A connection on which
 * nothing comes, although a blocking command would have ended, is given up.
 */
const PATIENT = { ...COMMON, maxRetriesPerRequest: null, socketTimeout: 20_000 };

/** Fails rather than keep anybody waiting: for what can be done without Redis as well. */
const HASTY = {
  ...COMMON,
  maxRetriesPerRequest: 0,
  enableOfflineQueue: false,
  commandTimeout: 250,
  socketTimeout: 5_000,
};

const MANNERS = { prompt: PROMPT, patient: PATIENT, hasty: HASTY };

/** A client that connects by itself, again and again, and tells the logger once when Redis goes and when it is back. */
export function createClient(url: string, manner: keyof typeof MANNERS, logger?: Logger): Redis {
  const client = new Redis(url, MANNERS[manner]);
  let away = false;
  client.on('error', (error: Error) => {
    if (!away) logger?.warn({ reason: error.message }, 'Redis is away');
    away = true;
  });
  client.on('ready', () => {
    if (away) logger?.info('Redis is back');
    away = false;
  });
  return client;
}

/** Lets what was asked be answered, unless Redis is away. */
export async function closeClient(client: Redis): Promise<void> {
  if (client.status === 'ready') await client.quit().catch(() => undefined);
  client.disconnect();
}
