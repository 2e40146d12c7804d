import type { JWTPayload } from 'jose' with { 'resolution-mode': 'import' };
import { ROLES, type Principal, type Role } from '../../contracts/principal';

/** Seconds by which clocks of issuers may differ from ours. */
export const SKEW = 60;

/** Ways of authenticating (RFC 8176, and the ones in use beside it) that make a session secure. */
const STRONG_METHODS = ['otp', 'hwk', 'mfa', 'webauthn'];

/** Who a verified token speaks for. `now` in seconds. */
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

const LONGEST_SESSION_ID = 255;

const sessionOf = (sid: unknown): Pick<Principal, 'sessionId'> =>
  typeof sid === 'string' && sid !== '' ? { sessionId: sid.slice(0, LONGEST_SESSION_ID) } : {};

/** A role that we do not know is the lowest. Only the platform's own tokens carry its role. */
const roleOf = (claim: unknown): Role =>
  ROLES.find(role => role === claim && role !== 'platform_admin') ?? ROLES[0];

function secureSessionAge(claims: JWTPayload, acrValues: readonly string[], now: number): number | null {
  const { acr, amr, auth_time: at } = claims;
  const strong =
    (typeof acr === 'string' && acrValues.includes(acr)) ||
    (Array.isArray(amr) && amr.some(method => STRONG_METHODS.includes(method as string)));
  if (!strong || typeof at !== 'number' || at > now + SKEW) return null;
  return Math.max(0, now - at);
}
