/** A limit of calls a minute. `RATE_LIMIT_<NAME>` sets it; 0 lifts it. */
export interface Quota {
  /** As responses name it. */
  readonly name: string;
  /** Calls, by default. */
  readonly perMinute: number;
}

/** Calls of an address: each that is authenticated, and each of an endpoint without authentication. */
export const ADDRESS: Quota = { name: 'address', perMinute: 300 };
/** Failed authentications of an address. */
export const FAILURES: Quota = { name: 'failures', perMinute: 30 };
/** Reads, from an address, of accounts and signatures that nobody has read yet. */
export const FIRST_READS: Quota = { name: 'first_reads', perMinute: 60 };

/** Those that belong to no functional group. */
export const SHARED_QUOTAS: readonly Quota[] = [ADDRESS, FAILURES, FIRST_READS];
