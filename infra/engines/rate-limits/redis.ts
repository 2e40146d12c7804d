import type { Logger } from 'pino';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { RateLimits } from '../../../services/http/limits';
import { closeClient, createClient } from '../redis/client';
import { byPolicy, MINUTE, standing, type Quotas } from './quotas';

/** Milliseconds for which a Redis that did not answer is not asked again. */
const REST = 2_000;

interface RedisLimitsOptions {
  readonly url: string;
  /** Goes before the names of all keys. */
  readonly prefix: string;
  readonly quotas: Quotas;
  /** Counts while Redis is away: each process for itself. */
  readonly meanwhile: RateLimits;
  readonly logger: Logger;
}

/** Limits that all processes share. Nobody waits for long, and nobody is turned away, because Redis is gone. */
export function openRedisLimits({
  url,
  prefix,
  quotas,
  meanwhile,
  logger,
}: RedisLimitsOptions): RateLimits & {
  close(): Promise<void>;
} {
  const client = createClient(url, 'hasty', logger);
  const limiters = byPolicy(
    quotas,
    (policy, points) =>
      new RateLimiterRedis({
        storeClient: client,
        keyPrefix: `${prefix}:${policy}`,
        points,
        duration: MINUTE,
        rejectIfRedisNotReady: true,
      }),
  );
  let restsUntil = 0;
  return {
    async take(policy, key) {
      const limiter = limiters[policy];
      if (!limiter) return null;
      if (performance.now() < restsUntil) return meanwhile.take(policy, key);
      try {
        return await standing(limiter, key);
      } catch {
        restsUntil = performance.now() + REST;
        // Answers that were lost would be taken for those of later questions, and these for lost.
        if (client.status === 'ready') client.disconnect(true);
        return meanwhile.take(policy, key);
      }
    },
    close: () => closeClient(client),
  };
}
