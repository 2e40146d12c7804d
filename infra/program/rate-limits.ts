import type { RateLimits } from '../../contracts/ports/rate-limits';
import type { Resource } from './feature';
import type { Config } from '../config/settings';
import { createMemoryLimits } from '../engines/rate-limits/memory';
import type { Quotas } from '../engines/rate-limits/quotas';

const quotasOf = (config: Config): Required<Quotas> => ({
  address: config.RATE_LIMIT_ADDRESS,
  failures: config.RATE_LIMIT_FAILURES,
  first_reads: config.RATE_LIMIT_FIRST_READS,
  node_reads: config.RATE_LIMIT_NODE_READS,
  messages: config.RATE_LIMIT_MESSAGES,
  contract_reads: config.RATE_LIMIT_CONTRACT_READS,
  bridge_messages: config.RATE_LIMIT_BRIDGE_MESSAGES,
  storage_reads: config.RATE_LIMIT_STORAGE_READS,
  storage_writes: config.RATE_LIMIT_STORAGE_WRITES,
  storage_key_writes: config.RATE_LIMIT_STORAGE_KEY_WRITES,
  connections: config.RATE_LIMIT_CONNECTIONS,
  wallet_requests: config.RATE_LIMIT_WALLET_REQUESTS,
  app_reviews: config.RATE_LIMIT_APP_REVIEWS,
  push_registrations: config.RATE_LIMIT_PUSH_REGISTRATIONS,
  client_errors: config.RATE_LIMIT_CLIENT_ERRORS,
  exchange_estimates: config.RATE_LIMIT_EXCHANGE_ESTIMATES,
  exchange_orders: config.RATE_LIMIT_EXCHANGE_ORDERS,
  exchange_refreshes: config.RATE_LIMIT_EXCHANGE_REFRESHES,
  reads: config.RATE_LIMIT_READS,
  exports: config.RATE_LIMIT_EXPORTS,
  writes: config.RATE_LIMIT_WRITES,
  fees: config.RATE_LIMIT_FEES,
});

/** Limits as they are set: counted in Redis where there is one, else in memory. */
export const rateLimits: Resource<RateLimits & { close(): Promise<void> }> = {
  async open({ config, logger }) {
    const quotas = quotasOf(config);
    const memory = createMemoryLimits(quotas);
    if (!config.REDIS_URL) return { ...memory, close: async () => undefined };
    const { openRedisLimits } = await import('../engines/rate-limits/redis.js');
    const prefix = `tidemark:limits:${config.INSTANCE_ID}`;
    return openRedisLimits({ url: config.REDIS_URL, prefix, quotas, fallback: memory, logger });
  },
  close: limits => limits.close(),
};
