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
  /** Counts a call, as several where it costs more. Null where the quota is lifted. @param quota its name @param cost default 1 */
  consume(quota: string, key: string, cost?: number): Promise<RateLimitStatus | null>;
}

/** Limits nothing. */
export const NO_LIMITS: RateLimits = { consume: async () => null };
