import { LRUCache } from 'lru-cache';
import { addressKey } from '../../contracts/http/address-key';
import { atMost } from '../../contracts/engine/cache-bounds';
import type { RateLimits, ShareKeys } from '../../contracts/ports/rate-limits';
import { dailyQuota, FAILURES, FIRST_READS, type Quota } from '../../contracts/quota';
import { Problem } from '../../contracts/problem/problem';
import { monotonic } from '../../contracts/time/monotonic';
import type { AnyCall, Middleware } from './call';

/**
 * Counts a call and adds the state of the quota to the response, in the fields of
 * draft-ietf-httpapi-ratelimit-headers-10.
 * @throws Problem 429 `rate_limited` with `Retry-After`
 */
async function count(
  limits: RateLimits,
  { name, perDay }: Quota,
  key: string,
  call: Pick<AnyCall, 'appendHeader'>,
  cost = 1,
  everybody = EVERYBODY,
): Promise<void> {
  const state = await limits.consume(name, key, cost);
  if (!state) return;
  const { quota, window, remaining, resetsIn, exceeded } = state;
  call.appendHeader('RateLimit-Policy', `"${name}";q=${quota};w=${window}`);
  call.appendHeader('RateLimit', `"${name}";r=${remaining};t=${resetsIn}`);
  if (exceeded) throw tooMany(name, `Too many calls (${name}): ${quota} in ${window} seconds.`, resetsIn);
  if (perDay !== undefined) await countDay(limits, dailyQuota({ name }), { everybody, own: key }, cost);
}

/** Counts a call that leaves something for long, unless its caller has had its share of what all may leave within a day. */
async function countDay(limits: RateLimits, name: string, keys: ShareKeys, cost: number): Promise<void> {
  const exceeded = await limits.takeShare(name, keys, cost);
  if (!exceeded) return;
  const detail = `Too many calls (${name}): one caller may make a quarter of what others leave of ${exceeded.quota}.`;
  throw tooMany(name, detail, exceeded.resetsIn);
}

/** No address. */
const EVERYBODY = 'everybody';

const tooMany = (quota: string, detail: string, retryAfter: number): Problem =>
  new Problem('rate_limited', detail, { retryAfter, extra: { 'violated-policies': [quota] } });

/** Counts a call against a quota of its caller, or of its address when it is not authenticated. @throws Problem 429 */
export function limitCaller(limits: RateLimits, quota: Quota, call: AnyCall): Promise<void> {
  return count(limits, quota, callerKey(call), call);
}

/** Whose call it is. */
export type Sender = Pick<AnyCall, 'principal' | 'ip'>;

/** The caller, or its address when it is not authenticated. */
export function callerKey({ principal, ip }: Sender): string {
  return principal ? `${principal.issuer}|${principal.subject}` : addressKey(ip);
}

/** Where a call comes from, and its response. */
type Caller = Pick<AnyCall, 'ip' | 'appendHeader'>;

/**
 * Counts a call against a quota of its address. Failed authentications are not counted against `ADDRESS`: calls without a token
 * could use up the quota of those with one at the same address.
 * @param cost of the call; default 1
 * @throws Problem 429
 */
export function limitAddress(limits: RateLimits, quota: Quota, caller: Caller, cost?: number): Promise<void> {
  return count(limits, quota, addressKey(caller.ip), caller, cost);
}

/** Counts what a call may add, against a quota of its address, where it is within it. @returns whether it is */
export async function isWithinQuota(
  limits: RateLimits,
  { name, perDay }: Quota,
  { ip }: Pick<Caller, 'ip'>,
): Promise<boolean> {
  const key = addressKey(ip);
  const state = await limits.consume(name, key);
  if (!state) return true;
  if (state.exceeded) return false;
  return (
    perDay === undefined ||
    (await limits.takeShare(dailyQuota({ name }), { everybody: EVERYBODY, own: key }, 1)) === null
  );
}

/** Counts a call against a quota of what it is about. @throws Problem 429 */
export function limitSubject(
  limits: RateLimits,
  quota: Quota,
  subject: string,
  caller: Caller,
): Promise<void> {
  return count(limits, quota, subject, caller);
}

/**
 * Counts a call of an address about what anybody may name, such as somebody's phone number: in a day all addresses together have the
 * quota for it, and each a share. @throws Problem 429
 */
export function limitAddressAbout(
  limits: RateLimits,
  quota: Quota,
  subject: string,
  caller: Caller,
): Promise<void> {
  return count(limits, quota, `${subject}|${addressKey(caller.ip)}`, caller, 1, subject);
}

/** As long as someone asks again because the answer was not ready, or polls a status: until a blockhash expires. */
const COUNTED_ONCE_MS = 120_000;

/** Counts a read of what was not read so far, and that of the same key once only. @param cost default 1. @throws Problem 429 */
export type LimitFirstRead = (key: string, caller: Caller, cost?: number) => Promise<void>;

interface CountedOnce {
  /** For how long, in milliseconds: of what is read again once it is stale, no longer than it is served from memory. */
  readonly onceMs: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Anybody can think of any number of addresses and signatures, and each costs a job, a record and a document.
 * @param limits opened at the first use
 * @param quota of the caller's address
 */
export function createFirstReadLimit(
  limits: () => Promise<RateLimits>,
  quota: Quota = FIRST_READS,
  { onceMs, now }: CountedOnce = { onceMs: COUNTED_ONCE_MS, now: Date.now },
): LimitFirstRead {
  const counted = new LRUCache<string, true>({
    ...atMost(10_000),
    ttl: onceMs,
    ttlResolution: 0,
    perf: { now: monotonic(now) },
  });
  return async (key, caller, cost) => {
    if (counted.has(key)) return;
    await limitAddress(await limits(), quota, caller, cost);
    counted.set(key, true);
  };
}

/** Counts failed authentications of an address: one over the quota is answered with 429 instead of 401. */
export function limitFailures(limits: RateLimits): Middleware {
  return async (call, next) => {
    try {
      return await next();
    } catch (error) {
      if (error instanceof Problem && error.code === 'unauthenticated')
        await count(limits, FAILURES, addressKey(call.ip), call);
      throw error;
    }
  };
}
