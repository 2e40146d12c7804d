import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import type { RateLimitStatus } from '../../../contracts/ports/rate-limits';

/** Calls by the name of the quota; 0, or none, is no limit. */
export type Quotas = Readonly<Record<string, number>>;

/** A minute starts with the first call of a key that is counted in it. */
export const MINUTE_SECONDS = 60;

const DAY_SECONDS = 86_400;

/** The day is the same for all keys, of which one has a share of what the others leave: it ends at midnight (UTC). */
export function secondsLeftOfDay(): number {
  return DAY_SECONDS - (Math.floor(Date.now() / 1_000) % DAY_SECONDS);
}

/** One limiter for each quota that is not lifted. */
export function perQuota<Limiter>(
  quotas: Quotas,
  create: (name: string, calls: number) => Limiter,
): ReadonlyMap<string, Limiter> {
  return new Map(
    Object.entries(quotas)
      .filter(([, calls]) => calls > 0)
      .map(([name, calls]) => [name, create(name, calls)]),
  );
}

/** Counts a call; one that costs more than the quota takes all of it, or it could never be made. @throws what the limiter's store throws */
export async function consume(
  limiter: RateLimiterAbstract,
  key: string,
  cost: number,
): Promise<RateLimitStatus> {
  // The library rejects with the result when the quota is exceeded.
  const result: unknown = await limiter
    .consume(key, Math.min(cost, limiter.points))
    .catch((rejected: unknown) => rejected);
  if (!(result instanceof RateLimiterRes)) throw result;
  return {
    quota: limiter.points,
    window: limiter.duration,
    remaining: Math.max(result.remainingPoints, 0),
    resetsIn: Math.max(Math.ceil(result.msBeforeNext / 1_000), 1),
    exceeded: result.consumedPoints > limiter.points,
  };
}
