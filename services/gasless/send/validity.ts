/** Seconds that a request has to be valid for when it arrives, and may be at most. */
const MIN_VALID = 15;
const MAX_VALID = 600;

/** @param validUntil Unix seconds @param now that the network is at, whose time is that of the wallet @returns null where there is none */
export function faultOfValidity(validUntil: number, now: number): string | null {
  if (validUntil < now + MIN_VALID) return 'it has expired, or is about to';
  return validUntil > now + MAX_VALID ? 'it is valid for too long' : null;
}
