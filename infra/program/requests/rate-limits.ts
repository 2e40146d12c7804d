import type { RateLimits } from '../../../contracts/ports/rate-limits';
import { callsPerDay, callsPerMinute } from '../../config/settings';
import { dailyQuota } from '../../../contracts/quota';
import { createMemoryLimits } from '../../engines/rate-limits/memory';
import { DAY_SECONDS, type Quotas } from '../../engines/rate-limits/quotas';
import type { Resource } from '../feature';

type OpenLimits = RateLimits & { close(): Promise<void> };

/** Limits as they are set: counted in Redis where there is one, else in memory. */
export const rateLimits: Resource<OpenLimits> = {
  async open({ config, features, logger }) {
    const quotas = Object.fromEntries(
      features.quotas.flatMap(quota => [
        [quota.name, callsPerMinute(config, quota)],
        [dailyQuota(quota), { calls: callsPerDay(config, quota), seconds: DAY_SECONDS }],
      ]),
    );
    const memory = createMemoryLimits(quotas);
    const limits = { ...memory, close: async () => undefined };
    if (!config.REDIS_URL) return assertDeclared(quotas, limits);
    const { openRedisLimits } = await import('../../engines/rate-limits/redis.js');
    const prefix = `tidemark:limits:${config.INSTANCE_ID}`;
    return assertDeclared(
      quotas,
      openRedisLimits({ url: config.REDIS_URL, prefix, quotas, fallback: memory, logger }),
    );
  },
  close: limits => limits.close(),
};

/** A quota that no feature declares has no setting, and would limit nothing. */
function assertDeclared(quotas: Quotas, limits: OpenLimits): OpenLimits {
  return {
    ...limits,
    async consume(quota, key, cost) {
      if (!(quota in quotas)) throw new Error(`${quota} is not among the quotas of a feature`);
      return limits.consume(quota, key, cost);
    },
  };
}
