import type { JWTPayload } from 'jose' with { 'resolution-mode': 'import' };
import { SKEW } from './principal';

/** Seconds from `iat` to `exp`. */
const LONGEST_LIFE = 24 * 3_600;

/** What the signature covers may still be too generous, or not of the types that RFC 7519 gives them. */
export function areOdd({ sub, exp, iat }: JWTPayload): boolean {
  return typeof sub !== 'string' || sub === '' || sub.length > 255 || exp! - iat! > LONGEST_LIFE;
}

/** Whether claims of the right types hold at an instant, in seconds (RFC 7519, sections 4.1.4 to 4.1.6). */
export function holdAt({ exp, nbf, iat }: JWTPayload, now: number): boolean {
  return exp! > now - SKEW && (nbf === undefined || nbf <= now + SKEW) && iat! <= now + SKEW;
}
