import type { RateLimits } from '../../../contracts/ports/rate-limits';
import { callsPerDay, callsPerMinute } from '../../config/settings';
import { dailyQuota } from '../../../contracts/quota';
import { createMemoryLimits } from '../../engines/rate-limits/memory';
import type { Quotas } from '../../engines/rate-limits/quotas';
import type { Resource } from '../feature';

type OpenLimits = RateLimits & { close(): Promise<void> };

/** Limits as they are set: counted in Redis where there is one, else in memory. */
export const rateLimits: Resource<OpenLimits> = {
  async open({ config, features, logger }) {
    const perMinute = Object.fromEntries(
      features.quotas.map(quota => [quota.name, callsPerMinute(config, quota)]),
    );
    const perDay = Object.fromEntries(
      features.quotas.map(quota => [dailyQuota(quota), callsPerDay(config, quota)]),
    );
    const memory = createMemoryLimits(perMinute, perDay);
    const assertDeclared = declared({ ...perMinute, ...perDay });
    if (!config.REDIS_URL) return assertDeclared({ ...memory, close: async () => undefined });
    const { openRedisLimits } = await import('../../engines/rate-limits/redis.js');
    const prefix = `tidemark:limits:${config.INSTANCE_ID}`;
    return assertDeclared(
      openRedisLimits({ url: config.REDIS_URL, prefix, perMinute, perDay, fallback: memory, logger }),
    );
  },
  close: limits => limits.close(),
};

/** A quota that no feature declares has no setting, and would limit nothing. */
const declared =
  (quotas: Quotas) =>
  (limits: OpenLimits): OpenLimits => {
    const assertDeclared = (quota: string): void => {
      if (!(quota in quotas)) throw new Error(`${quota} is not among the quotas of a feature`);
    };
    return {
      ...limits,
      async consume(quota, ...call) {
        assertDeclared(quota);
        return limits.consume(quota, ...call);
      },
      async takeShare(quota, ...call) {
        assertDeclared(quota);
        return limits.takeShare(quota, ...call);
      },
    };
  };
