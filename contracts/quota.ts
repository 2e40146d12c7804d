import type { Bound } from './bound';

/** A limit of calls a minute. `RATE_LIMIT_<NAME>` sets it; 0 lifts it. */
export interface Quota {
  /** As responses name it. */
  readonly name: string;
  /** What is counted, as docs/bounds.md names it. */
  readonly of: string;
  /** Whose calls are counted together. */
  readonly by: 'address' | 'caller' | 'key';
  /** Calls, by default. */
  readonly perMinute: number;
  /** As how many calls one that is answered as a whole may count, which a quota must have room for. Default: any quota will do. */
  readonly maxPerCall?: number;
  /**
   * Of calls that leave something for good: how many all callers together may make within a day (UTC), by default. One caller may make
   * a quarter of what the others leave. Not counted where there is no limit a minute.
   */
  readonly perDay?: number;
  /** What happens beyond it, where that is not a 429 `rate_limited`. */
  readonly beyond?: string;
  /** The attack on it, where no answer shows what is beyond it: those of others are in test/e2e, one for each. */
  readonly attack?: Bound['attack'];
}

/** The quota of all callers within a day, beside that of one within a minute. */
export function dailyQuota({ name }: Pick<Quota, 'name'>): string {
  return `${name}_per_day`;
}

/** Calls of an address to endpoints that are `limitedByAddress`, with a token or without. */
export const ADDRESS: Quota = {
  name: 'address',
  of: 'calls of the billing administration that carry a valid token',
  by: 'address',
  perMinute: 300,
};
/** Failed authentications of an address. */
export const FAILURES: Quota = {
  name: 'failures',
  of: 'calls that fail to authenticate',
  by: 'address',
  perMinute: 30,
};
/** Reads, from an address, of accounts and signatures that nobody has read yet. */
export const FIRST_READS: Quota = {
  name: 'first_reads',
  of: 'reads of accounts, applications and signatures that nobody has read yet',
  by: 'address',
  perMinute: 60,
  // Of accounts there are events of the watch, which stay when it has ended.
  perDay: 100_000,
};

/** Those that belong to no functional group. */
export const SHARED_QUOTAS: readonly Quota[] = [ADDRESS, FAILURES, FIRST_READS];
