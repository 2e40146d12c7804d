import type { Principal } from '../../contracts/principal';
import { Problem } from '../../contracts/problem';
import { areOdd, holdAt } from './claims';
import type { AuthConfig } from './config';
import { openKeys } from './key-set';
import { principalOf, SKEW } from './principal';
import { createVerifiedTokens, type Verified } from './verified-tokens';

/** @throws Problem 401 with a challenge, 403 `wrong_instance`, 503 when the keys of an issuer cannot be had */
export type Authenticate = (authorization: string | undefined) => Promise<Principal>;

const LONGEST_TOKEN = 8_192;
const MOST_REMEMBERED = 1_000;
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
      name: config[kind].issuer,
      audience: config[kind].audience,
      keys: await openKeys(config[kind]),
    })),
  );
  if (config.instance.issuer === config.platform.issuer)
    throw new Error('instance and platform must be issuers of different names');

  const verified = createVerifiedTokens(MOST_REMEMBERED);

  const verify = async (token: string, now: number): Promise<Verified> => {
    const issuer = issuers.find(each => each.name === decodeJwt(token).iss);
    if (!issuer) throw new errors.JWTInvalid('unknown issuer');
    const { kind, keys } = issuer;
    const header = decodeProtectedHeader(token);
    if (FORBIDDEN_HEADERS.some(name => name in header)) throw new errors.JWTInvalid('forbidden header');
    if (header.typ !== undefined && !TYPES.includes(header.typ.toLowerCase()))
      throw new errors.JWTInvalid('wrong typ');
    const edition = keys.edition();
    const { payload } = await jwtVerify(token, keys.keyFor, {
      algorithms: [...keys.algorithms],
      issuer: issuer.name,
      audience: issuer.audience,
      requiredClaims: REQUIRED,
      clockTolerance: SKEW,
      currentDate: new Date(now * 1_000),
    });
    if (areOdd(payload) || !holdAt(payload, now)) throw new errors.JWTInvalid('odd claims');
    if (kind === 'instance' && payload['instance_id'] !== config.instanceId)
      throw new Problem(403, 'wrong_instance', 'The token is for another instance.');
    return { kind, claims: payload, keys, edition };
  };

  /** Of a token seen before, the signature is remembered; what depends on the time is asked every time. */
  const principal = async (token: string, now: number): Promise<Principal> => {
    const known = verified.recall(token);
    const { kind, claims } = known && holdAt(known.claims, now) ? known : await anew(token, now);
    return principalOf(claims, kind, config.acrValues, now);
  };

  const anew = async (token: string, now: number): Promise<Verified> => {
    const found = await verify(token, now);
    verified.remember(token, found);
    return found;
  };

  /** jose's own errors speak of the token, all but those of fetching keys. */
  const speaksOfToken = (error: unknown): boolean =>
    error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout) &&
    !(error instanceof errors.JWKSInvalid) &&
    error.code !== 'ERR_JOSE_GENERIC';

  return async authorization => {
    if (authorization === undefined) throw unauthenticated('A bearer token is needed.', false);
    const token = BEARER.exec(authorization.slice(0, LONGEST_TOKEN + 'Bearer '.length + 1))?.[1];
    if (token === undefined || token.length > LONGEST_TOKEN)
      throw unauthenticated('The Authorization header holds no bearer token.', true);
    try {
      return await principal(token, Math.floor(config.now() / 1_000));
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

/** RFC 6750, section 3.1: without a token the challenge names no error. */
const unauthenticated = (detail: string, given: boolean): Problem =>
  new Problem(401, 'unauthenticated', detail, {
    headers: { 'WWW-Authenticate': given ? 'Bearer error="invalid_token"' : 'Bearer' },
  });
