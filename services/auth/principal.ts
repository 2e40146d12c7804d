import type { JWTPayload } from 'jose' with { 'resolution-mode': 'import' };
import { ROLES, type Principal, type Role } from '../../contracts/principal';
import { isVisibleLine } from '../../contracts/text/visible-text';

/** Maximum difference between the clocks of issuers and this one. */
export const CLOCK_SKEW_SECONDS = 60;

/** Authentication methods (RFC 8176, and others in use) that make a session secure. */
const STRONG_METHODS = ['otp', 'hwk', 'mfa', 'webauthn'];

/** The principal of a verified token. @param now seconds */
export function principalOf(
  claims: JWTPayload,
  issuer: Principal['issuer'],
  acrValues: readonly string[],
  now: number,
): Principal {
  return {
    subject: claims.sub!,
    issuer,
    role: issuer === 'platform' ? 'platform_admin' : roleOf(claims['role']),
    secureSessionAge: secureSessionAge(claims, acrValues, now),
    ...sessionOf(claims['sid']),
  };
}

const MAX_SESSION_ID_LENGTH = 255;

const sessionOf = (sid: unknown): Pick<Principal, 'sessionId'> =>
  typeof sid === 'string' && sid !== '' ? { sessionId: sid.slice(0, MAX_SESSION_ID_LENGTH) } : {};

/** An unknown role is treated as the lowest. Only tokens of the platform have the role `platform_admin`. */
const roleOf = (claim: unknown): Role =>
  ROLES.find(role => role === claim && role !== 'platform_admin') ?? ROLES[0];

function secureSessionAge(claims: JWTPayload, acrValues: readonly string[], now: number): number | null {
  const { acr, amr, auth_time: at } = claims;
  const strong =
    (typeof acr === 'string' && acrValues.includes(acr)) ||
    (Array.isArray(amr) && amr.some(method => STRONG_METHODS.includes(method as string)));
  if (!strong || typeof at !== 'number' || !Number.isFinite(at) || at > now + CLOCK_SKEW_SECONDS) return null;
  return Math.max(0, now - at);
}

/** Seconds from `iat` to `exp`. */
const MAX_LIFETIME_SECONDS = 24 * 3_600;

/** Whether the token's lifetime is too long, or its claims are not of the types of RFC 7519. */
export function areMalformed({ sub, exp, iat, sid }: JWTPayload): boolean {
  return (
    typeof sub !== 'string' ||
    !isSubject(sub) ||
    (typeof sid === 'string' && UNPRINTABLE.test(sid)) ||
    exp! - iat! > MAX_LIFETIME_SECONDS
  );
}

const MAX_SUBJECT_LENGTH = 255;
/** Control characters, line and paragraph separators, halves of surrogate pairs: no engine has to store them, and no log show them. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

/** Whether a text may be the subject of a token. */
export function isSubject(text: string): boolean {
  return text.length <= MAX_SUBJECT_LENGTH && isVisibleLine(text);
}

/** Whether well-formed claims are valid at an instant, in seconds (RFC 7519, sections 4.1.4 to 4.1.6). */
export function areCurrentAt({ exp, nbf, iat }: JWTPayload, now: number): boolean {
  return (
    exp! > now - CLOCK_SKEW_SECONDS &&
    (nbf === undefined || nbf <= now + CLOCK_SKEW_SECONDS) &&
    iat! <= now + CLOCK_SKEW_SECONDS
  );
}
