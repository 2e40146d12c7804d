import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { POLICIES, type Policy, type Standing } from '../../../services/http/limits';

/** Calls a minute; 0 is no limit. */
export type Quotas = Readonly<Record<Policy, number>>;

/** Seconds: the window of every policy. It begins with the first call counted in it. */
export const MINUTE = 60;

/** One thing for each policy that sets a limit. */
export function byPolicy<Thing>(
  quotas: Quotas,
  make: (policy: Policy, points: number) => Thing,
): Partial<Record<Policy, Thing>> {
  const limited = POLICIES.filter(policy => quotas[policy] > 0);
  return Object.fromEntries(limited.map(policy => [policy, make(policy, quotas[policy])]));
}

/** Takes one from a counter. @throws whatever its store throws */
export async function standing(limiter: RateLimiterAbstract, key: string): Promise<Standing> {
  const counted: unknown = await limiter.consume(key).catch((refused: unknown) => refused);
  if (!(counted instanceof RateLimiterRes)) throw counted;
  return {
    quota: limiter.points,
    window: MINUTE,
    remaining: Math.max(counted.remainingPoints, 0),
    resetsIn: Math.max(Math.ceil(counted.msBeforeNext / 1_000), 1),
    exceeded: counted.consumedPoints > limiter.points,
  };
}
