/**
 * What is limited: calls of an address, its failed authentications, its reads of accounts that nobody watches yet and of
 * contracts that nobody has read, its reads through the RPC node that no cached answer serves, its messages to a network, what
 * it posts to the TON Connect bridge, its reads and writes of cloud storage, writes to a key of cloud storage, what it changes
 * about connections, its wallet requests, its reviews of applications, its registrations of devices for notifications, errors
 * that it reports, its estimates of exchanges that no cached answer serves, the exchanges that it orders, those that it has
 * refreshed, and calls of a caller by their kind.
 */
export const POLICIES = [
  'address',
  'failures',
  'first_reads',
  'node_reads',
  'messages',
  'contract_reads',
  'bridge_messages',
  'storage_reads',
  'storage_writes',
  'storage_key_writes',
  'connections',
  'wallet_requests',
  'app_reviews',
  'push_registrations',
  'client_errors',
  'exchange_estimates',
  'exchange_orders',
  'exchange_refreshes',
  'reads',
  'exports',
  'writes',
  'fees',
] as const;
export type Policy = (typeof POLICIES)[number];

/** The state of a key after a call was counted. */
export interface RateLimitStatus {
  /** Calls in a window. */
  readonly quota: number;
  /** Seconds. */
  readonly window: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly resetsIn: number;
  /** This call was over the quota. */
  readonly exceeded: boolean;
}

export interface RateLimits {
  /** Counts a call, as several where it costs more. Null where the policy sets no limit. @param cost default 1 */
  consume(policy: Policy, key: string, cost?: number): Promise<RateLimitStatus | null>;
}

/** Limits nothing. */
export const NO_LIMITS: RateLimits = { consume: async () => null };
