import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import type { RateLimitStatus } from '../../../contracts/ports/rate-limits';

/**
 * Calls in a window, which starts with the first call of a key that is counted in it. A day is the same for all keys, of which one has a
 * share of what the others leave: it starts at midnight (UTC).
 */
export interface CallsPerWindow {
  readonly calls: number;
  readonly seconds: number;
}

export const DAY_SECONDS = 86_400;

/** Calls a minute, or in another window, by the name of the quota; 0, or none, is no limit. */
export type Quotas = Readonly<Record<string, number | CallsPerWindow>>;

/** One limiter for each quota that is not lifted. */
export function perQuota<Limiter>(
  quotas: Quotas,
  create: (name: string, limit: CallsPerWindow) => Limiter,
): ReadonlyMap<string, Limiter> {
  const limits = Object.entries(quotas).map(
    ([name, limit]) => [name, typeof limit === 'number' ? { calls: limit, seconds: 60 } : limit] as const,
  );
  return new Map(
    limits.filter(([, { calls }]) => calls > 0).map(([name, limit]) => [name, create(name, limit)]),
  );
}

/** Counts a call. @throws what the limiter's store throws */
export async function consume(
  limiter: RateLimiterAbstract,
  key: string,
  cost: number,
): Promise<RateLimitStatus> {
  const isDay = limiter.duration === DAY_SECONDS;
  const options = isDay
    ? { customDuration: DAY_SECONDS - (Math.floor(Date.now() / 1_000) % DAY_SECONDS) }
    : {};
  // The library rejects with the result when the quota is exceeded.
  const result: unknown = await limiter.consume(key, cost, options).catch((rejected: unknown) => rejected);
  if (!(result instanceof RateLimiterRes)) throw result;
  return {
    quota: limiter.points,
    window: limiter.duration,
    remaining: Math.max(result.remainingPoints, 0),
    resetsIn: Math.max(Math.ceil(result.msBeforeNext / 1_000), 1),
    exceeded: result.consumedPoints > limiter.points,
  };
}
