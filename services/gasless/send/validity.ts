/** Seconds that a request has to be valid for when it arrives, and may be at most. */
export const MIN_VALID = 15;
export const MAX_VALID = 600;
