import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { PARTS } from '../../../contracts/bound';
import type { RateLimits } from '../../../contracts/ports/rate-limits';
import { closeClient, createClient } from '../redis/client';
import { consume, MINUTE_SECONDS, perQuota, secondsLeftOfDay, type Quotas } from './quotas';

/** How long the fallback counts after Redis did not answer. */
const FALLBACK_MS = 2_000;

/** As `shareLeft` has it. Arguments: the quota, into how many parts it is divided, the cost, the seconds left of the day. */
const TAKE_SHARE = `
local all = tonumber(redis.call('GET', KEYS[1]) or 0)
local own = tonumber(redis.call('GET', KEYS[2]) or 0)
local quota = tonumber(ARGV[1])
local share = math.max(1, math.floor((quota - (all - own)) / ARGV[2]))
if math.min(quota - all, share - own) < tonumber(ARGV[3]) then return 0 end
for _, key in ipairs(KEYS) do
  redis.call('SET', key, 0, 'EX', ARGV[4], 'NX')
  redis.call('INCRBY', key, ARGV[3])
end
return 1`;

interface RedisLimitsOptions {
  readonly url: string;
  /** Prefix of all keys. */
  readonly prefix: string;
  readonly perMinute: Quotas;
  readonly perDay: Quotas;
  /** Counts while Redis is not available: each process for itself. */
  readonly fallback: RateLimits;
  readonly logger: Logger;
}

/** Limits shared by all processes. An outage of Redis neither delays nor refuses a call: the fallback counts. */
export function openRedisLimits(options: RedisLimitsOptions): RateLimits & { close(): Promise<void> } {
  const { url, prefix, perMinute, perDay, fallback, logger } = options;
  const client: Redis = createClient(url, 'failFast', logger);
  const keyOf = (quota: string, key: string): string => `${prefix}:${quota}:${key}`;
  const limiters = perQuota(
    perMinute,
    (name, calls) =>
      new RateLimiterRedis({
        storeClient: client,
        keyPrefix: `${prefix}:${name}`,
        points: calls,
        duration: MINUTE_SECONDS,
        rejectIfRedisNotReady: true,
      }),
  );
  const days = perQuota(perDay, (_name, calls) => calls);
  let fallbackUntil = 0;
  const orFallback = async <T>(count: () => Promise<T>, countAlone: () => Promise<T>): Promise<T> => {
    if (performance.now() < fallbackUntil) return countAlone();
    try {
      return await count();
    } catch {
      fallbackUntil = performance.now() + FALLBACK_MS;
      // A reply that arrives late would be taken for the reply to a later command: reconnect.
      if (client.status === 'ready') client.disconnect(true);
      return countAlone();
    }
  };
  return {
    async consume(quota, key, cost = 1) {
      const limiter = limiters.get(quota);
      if (!limiter) return null;
      return orFallback(
        () => consume(limiter, key, cost),
        () => fallback.consume(quota, key, cost),
      );
    },
    async takeShare(name, keys, cost) {
      const quota = days.get(name);
      if (quota === undefined) return null;
      const resetsIn = secondsLeftOfDay();
      const counted = [keyOf(name, keys.everybody), keyOf(name, keys.own)] as const;
      return orFallback(
        async () => {
          const isTaken = await client.eval(TAKE_SHARE, 2, ...counted, quota, PARTS, cost, resetsIn);
          return isTaken === 1 ? null : { quota, resetsIn };
        },
        () => fallback.takeShare(name, keys, cost),
      );
    },
    close: () => closeClient(client),
  };
}
