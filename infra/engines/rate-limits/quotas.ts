import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import type { RateLimitStatus } from '../../../contracts/ports/rate-limits';

/** Calls a minute, by the name of the quota; 0, or none, is no limit. */
export type Quotas = Readonly<Record<string, number>>;

/** The window of every quota. It starts with the first call counted in it. */
export const WINDOW_SECONDS = 60;

/** One limiter for each quota that is not lifted. */
export function perQuota<Limiter>(
  quotas: Quotas,
  create: (name: string, points: number) => Limiter,
): ReadonlyMap<string, Limiter> {
  const limited = Object.entries(quotas).filter(([, points]) => points > 0);
  return new Map(limited.map(([name, points]) => [name, create(name, points)]));
}

/** Counts a call. @throws what the limiter's store throws */
export async function consume(
  limiter: RateLimiterAbstract,
  key: string,
  cost: number,
): Promise<RateLimitStatus> {
  // The library rejects with the result when the quota is exceeded.
  const result: unknown = await limiter.consume(key, cost).catch((rejected: unknown) => rejected);
  if (!(result instanceof RateLimiterRes)) throw result;
  return {
    quota: limiter.points,
    window: WINDOW_SECONDS,
    remaining: Math.max(result.remainingPoints, 0),
    resetsIn: Math.max(Math.ceil(result.msBeforeNext / 1_000), 1),
    exceeded: result.consumedPoints > limiter.points,
  };
}
