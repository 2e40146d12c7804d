import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { POLICIES, type Policy, type RateLimitStatus } from '../../../contracts/ports/rate-limits';

/** Calls per minute; 0, or none, is no limit. */
export type Quotas = Readonly<Partial<Record<Policy, number>>>;

/** The window of every policy. It starts with the first call counted in it. */
export const WINDOW_SECONDS = 60;

/** One limiter for each policy that has a quota. */
export function perPolicy<Limiter>(
  quotas: Quotas,
  create: (policy: Policy, points: number) => Limiter,
): Partial<Record<Policy, Limiter>> {
  const created = POLICIES.flatMap(policy => {
    const points = quotas[policy] ?? 0;
    return points > 0 ? [[policy, create(policy, points)] as const] : [];
  });
  return Object.fromEntries(created) as Partial<Record<Policy, Limiter>>;
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
