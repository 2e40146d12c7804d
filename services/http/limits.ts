import ipaddr from 'ipaddr.js';
import type { Access } from '../../contracts/http/billing-access';
import { Problem } from '../../contracts/problem';
import type { Principal } from '../../contracts/principal';
import type { Around, Call } from './binding';

/** What is counted: calls of an address, failures of it to authenticate, and calls of a caller by what they are for. */
export const POLICIES = ['address', 'failures', 'reads', 'exports', 'writes', 'fees'] as const;
export type Policy = (typeof POLICIES)[number];

/** How a key stands after a call was counted. */
export interface Standing {
  /** Calls in a window. */
  readonly quota: number;
  /** Seconds. */
  readonly window: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly resetsIn: number;
  /** This call was one too many. */
  readonly exceeded: boolean;
}

export interface RateLimits {
  /** Counts a call. Null where the policy sets no limit. */
  take(policy: Policy, key: string): Promise<Standing | null>;
}

type AnyCall = Call<unknown, unknown, unknown>;

/**
 * Counts a call and tells the caller how it stands, by the fields of draft-ietf-httpapi-ratelimit-headers-10.
 * @throws Problem 429 `rate_limited` with `Retry-After`
 */
async function count(limits: RateLimits, policy: Policy, key: string, call: AnyCall): Promise<void> {
  const standing = await limits.take(policy, key);
  if (!standing) return;
  const { quota, window, remaining, resetsIn, exceeded } = standing;
  call.tell('RateLimit-Policy', `"${policy}";q=${quota};w=${window}`);
  call.tell('RateLimit', `"${policy}";r=${remaining};t=${resetsIn}`);
  if (!exceeded) return;
  throw new Problem(429, 'rate_limited', `Too many calls (${policy}): ${quota} in ${window} seconds.`, {
    headers: { 'Retry-After': String(resetsIn) },
    extra: { 'violated-policies': [policy] },
  });
}

/** Counts a call of somebody who may make it. @throws Problem 429 */
export function countCaller(
  limits: RateLimits,
  { subject, issuer }: Principal,
  { counts }: Access,
  call: AnyCall,
): Promise<void> {
  return count(limits, counts, `${issuer}|${subject}`, call);
}

/**
 * Counts calls of an address, and its failures to authenticate: one too many of these is told that instead. Good tokens
 * go on working meanwhile, for whoever shares the address.
 */
export function limitAddress(limits: RateLimits, everyCall: boolean): Around {
  return async (call, carryOut) => {
    if (everyCall) await count(limits, 'address', addressKey(call.ip), call);
    try {
      return await carryOut();
    } catch (error) {
      if (error instanceof Problem && error.code === 'unauthenticated')
        await count(limits, 'failures', addressKey(call.ip), call);
      throw error;
    }
  };
}

/** Who has one address of IPv6 has the other 2^64 of its network too (RFC 4291, section 2.5.4). */
export function addressKey(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return `${address.toByteArray().slice(0, 8).join('.')}/64`;
}

/** Where nothing is limited. */
export const NO_LIMITS: RateLimits = { take: async () => null };
