import { Redis } from 'ioredis';
import type { Logger } from 'pino';

const MAX_RETRY_MS = 1_000;

const COMMON = {
  connectTimeout: 5_000,
  disconnectTimeout: 100,
  retryStrategy: (times: number) => Math.min(20 * 2 ** Math.min(times, 10), MAX_RETRY_MS),
  // After a failover the old master is a replica, until the name or the proxy leads to the new one.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
};

const PROFILES = {
  /** A command fails after 5 seconds: for callers that wait for a reply. */
  interactive: { ...COMMON, maxRetriesPerRequest: 2, commandTimeout: 5_000, socketTimeout: 10_000 },
  /**
   * Commands wait for as long as Redis is not available and are sent again after a reconnect: for workers. A connection
   * that is silent for longer than a blocking command takes is closed.
   */
  persistent: { ...COMMON, maxRetriesPerRequest: null, socketTimeout: 20_000 },
  /** Commands fail at once when Redis is not available: for callers that can do without it. */
  failFast: {
    ...COMMON,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    commandTimeout: 250,
    socketTimeout: 5_000,
  },
};

/**
 * After a reconnect ioredis subscribes again, and leaves the promise of that to itself: one that is rejected because the client is
 * closed meanwhile would end the process.
 */
class Client extends Redis {
  override readonly subscribe = ((...channels: string[]) => {
    const subscribed = super.subscribe(...channels);
    subscribed.catch(() => undefined);
    return subscribed;
  }) as Redis['subscribe'];
}

/** A client that reconnects by itself. Logs once when the connection is lost and once when it is restored. */
export function createClient(url: string, profile: keyof typeof PROFILES, logger?: Logger): Redis {
  const client = new Client(url, PROFILES[profile]);
  let lost = false;
  client.on('error', (err: Error) => {
    if (!lost) logger?.warn({ err }, 'redis connection lost');
    lost = true;
  });
  client.on('ready', () => {
    if (lost) logger?.info('redis connection restored');
    lost = false;
  });
  return client;
}

/** Waits for the replies to pending commands, unless the connection is lost. */
export async function closeClient(client: Redis): Promise<void> {
  if (client.status === 'ready') await client.quit().catch(() => undefined);
  client.disconnect();
}
