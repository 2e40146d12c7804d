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

/** Of what one caller has a share: what all callers have together, and what it has itself. */
export interface ShareKeys {
  readonly everybody: string;
  readonly own: string;
}

/** A caller has had its share of what the others leave of the quota of a day, and this call was not counted. */
export type ShareExceeded = Pick<RateLimitStatus, 'quota' | 'resetsIn'>;

export interface RateLimits {
  /** Counts a call, as several where it costs more. Null where the quota is lifted. @param quota its name @param cost default 1 */
  consume(quota: string, key: string, cost?: number): Promise<RateLimitStatus | null>;
  /**
   * Counts a call among those of all callers within a day (UTC), where its caller has so many left of its share: in one step, so that no
   * calls at the same time are more than the share. Null where it was counted, or the quota is lifted.
   * @param quota its name
   */
  takeShare(quota: string, keys: ShareKeys, cost: number): Promise<ShareExceeded | null>;
}

/** Limits nothing. */
export const NO_LIMITS: RateLimits = { consume: async () => null, takeShare: async () => null };
