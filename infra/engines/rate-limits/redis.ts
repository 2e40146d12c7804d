import type { Logger } from 'pino';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { RateLimits } from '../../../contracts/ports/rate-limits';
import { closeClient, createClient } from '../redis/client';
import { consume, perQuota, type Quotas } from './quotas';

/** How long the fallback counts after Redis did not answer. */
const FALLBACK_MS = 2_000;

interface RedisLimitsOptions {
  readonly url: string;
  /** Prefix of all keys. */
  readonly prefix: string;
  readonly quotas: Quotas;
  /** Counts while Redis is not available: each process for itself. */
  readonly fallback: RateLimits;
  readonly logger: Logger;
}

/** Limits shared by all processes. An outage of Redis neither delays nor refuses a call: the fallback counts. */
export function openRedisLimits({ url, prefix, quotas, fallback, logger }: RedisLimitsOptions): RateLimits & {
  close(): Promise<void>;
} {
  const client = createClient(url, 'failFast', logger);
  const limiters = perQuota(
    quotas,
    (name, { calls, seconds }) =>
      new RateLimiterRedis({
        storeClient: client,
        keyPrefix: `${prefix}:${name}`,
        points: calls,
        duration: seconds,
        rejectIfRedisNotReady: true,
      }),
  );
  let fallbackUntil = 0;
  return {
    async consume(quota, key, cost = 1) {
      const limiter = limiters.get(quota);
      if (!limiter) return null;
      if (performance.now() < fallbackUntil) return fallback.consume(quota, key, cost);
      try {
        return await consume(limiter, key, cost);
      } catch {
        fallbackUntil = performance.now() + FALLBACK_MS;
        // A reply that arrives late would be taken for the reply to a later command: reconnect.
        if (client.status === 'ready') client.disconnect(true);
        return fallback.consume(quota, key, cost);
      }
    },
    close: () => closeClient(client),
  };
}
