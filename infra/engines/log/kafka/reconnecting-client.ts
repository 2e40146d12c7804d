import { setTimeout as pause } from 'node:timers/promises';
import { createBackoff } from '../../../../contracts/retry/backoff';
import { isRetriable, unavailable } from './errors';

export interface Client {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

export interface ReconnectingClient<Used> {
  /**
   * Does the work, with retries until the timeout, so the work must be repeatable.
   * @throws EngineUnavailable for errors of the library
   */
  use<Result>(work: (client: Used) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

const MIN_RETRY_MS = 50;
const MAX_RETRY_MS = 1000;

/**
 * A client that connects when it is first used and is replaced after an error: kafkajs does not always correct what it has
 * cached of former brokers and leaders.
 */
export function reconnectingClient<Used extends Client>(
  create: () => Used,
  timeoutMs: number,
): ReconnectingClient<Used> {
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
      const deadline = Date.now() + timeoutMs;
      for (const backoff = createBackoff(MIN_RETRY_MS, MAX_RETRY_MS); ;) {
        const retryMs = backoff.next();
        const used = (current ??= connect());
        try {
          return await work(await used);
        } catch (error) {
          const mapped = unavailable(error);
          if (mapped === error) throw error;
          void discard(used);
          if (!isRetriable(error) || Date.now() + retryMs > deadline) throw mapped;
        }
        await pause(retryMs);
      }
    },
    close: async () => {
      if (current) await discard(current);
    },
  };
}
