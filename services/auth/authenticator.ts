import type { JWTPayload } from 'jose' with { 'resolution-mode': 'import' };
import type { Principal } from '../../contracts/principal';
import { Problem } from '../../contracts/problem';
import type { AuthConfig } from './config';
import { openKeys } from './key-set';
import { principalOf, SKEW } from './principal';

/** @throws Problem 401 with a challenge, 403 `wrong_instance`, 503 when the keys of an issuer cannot be had */
export type Authenticate = (authorization: string | undefined) => Promise<Principal>;

const LONGEST_TOKEN = 8_192;
/** Seconds from `iat` to `exp`. */
const LONGEST_LIFE = 24 * 3_600;
const REQUIRED = ['iss', 'aud', 'sub', 'exp', 'iat'];
const TYPES = ['jwt', 'at+jwt'];
/** A token must not say where its key is to be found, nor ask for extensions (RFC 8725, section 3). */
const FORBIDDEN_HEADERS = ['crit', 'jku', 'jwk', 'x5u', 'x5c'];

/**
 * Verifies bearer tokens of the instance and of the platform. Which issuer's keys and algorithms apply is read from the
 * unverified `iss`; everything else is believed only after its signature.
 */
export async function createAuthenticator(config: AuthConfig): Promise<Authenticate> {
  const { decodeJwt, decodeProtectedHeader, errors, jwtVerify } = await import('jose');
  const issuers = await Promise.all(
    (['instance', 'platform'] as const).map(async kind => ({
      kind,
      ...config[kind],
      ...(await openKeys(config[kind])),
    })),
  );
  if (config.instance.issuer === config.platform.issuer)
    throw new Error('instance and platform must be issuers of different names');

  const verify = async (token: string, now: number): Promise<Principal> => {
    const issuer = issuers.find(each => each.issuer === decodeJwt(token).iss);
    if (!issuer) throw new errors.JWTInvalid('unknown issuer');
    const header = decodeProtectedHeader(token);
    if (FORBIDDEN_HEADERS.some(name => name in header)) throw new errors.JWTInvalid('forbidden header');
    if (header.typ !== undefined && !TYPES.includes(header.typ.toLowerCase()))
      throw new errors.JWTInvalid('wrong typ');
    const { payload } = await jwtVerify(token, issuer.keyFor, {
      algorithms: [...issuer.algorithms],
      issuer: issuer.issuer,
      audience: issuer.audience,
      requiredClaims: REQUIRED,
      clockTolerance: SKEW,
      currentDate: new Date(now),
    });
    refuseOddClaims(payload, now / 1000);
    if (issuer.kind === 'instance' && payload['instance_id'] !== config.instanceId)
      throw new Problem(403, 'wrong_instance', 'The token is for another instance.');
    return principalOf(payload, issuer.kind, config.acrValues, Math.floor(now / 1000));
  };

  /** jose's own errors speak of the token, all but those of fetching keys. */
  const speaksOfToken = (error: unknown): boolean =>
    error instanceof OddClaims ||
    (error instanceof errors.JOSEError &&
      !(error instanceof errors.JWKSTimeout) &&
      !(error instanceof errors.JWKSInvalid) &&
      error.code !== 'ERR_JOSE_GENERIC');

  return async authorization => {
    if (authorization === undefined) throw unauthenticated('A bearer token is needed.', false);
    const token = BEARER.exec(authorization.slice(0, LONGEST_TOKEN + 'Bearer '.length + 1))?.[1];
    if (token === undefined || token.length > LONGEST_TOKEN)
      throw unauthenticated('The Authorization header holds no bearer token.', true);
    try {
      return await verify(token, config.now());
    } catch (error) {
      if (error instanceof Problem) throw error;
      if (speaksOfToken(error)) throw unauthenticated('The token is not valid here, or no longer.', true);
      throw new Problem(503, 'not_ready', 'The keys of the issuer cannot be had; try again.', {
        headers: { 'Retry-After': '5' },
      });
    }
  };
}

const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]*)$/i;

class OddClaims extends Error {}

/** What the signature covers may still be too generous, or not of the types that RFC 7519 gives them. */
function refuseOddClaims({ sub, exp, iat }: JWTPayload, now: number): void {
  const odd =
    typeof sub !== 'string' ||
    sub === '' ||
    sub.length > 255 ||
    exp! - iat! > LONGEST_LIFE ||
    iat! > now + SKEW;
  if (odd) throw new OddClaims();
}

/** RFC 6750, section 3.1: without a token the challenge names no error. */
const unauthenticated = (detail: string, given: boolean): Problem =>
  new Problem(401, 'unauthenticated', detail, {
    headers: { 'WWW-Authenticate': given ? 'Bearer error="invalid_token"' : 'Bearer' },
  });
