import type { CryptoKey, JWTVerifyOptions } from 'jose' with { 'resolution-mode': 'import' };
import { decodeBase64url } from '../../contracts/encoding/base64';
import type { Principal } from '../../contracts/principal';
import { Problem } from '../../contracts/problem/problem';
import type { AuthConfig } from './config';
import { openKeys } from './key-set';
import { areCurrentAt, areMalformed, CLOCK_SKEW_SECONDS, principalOf } from './principal';
import { createVerifiedTokens, type Verified } from './verified-tokens';

/** @throws Problem 401 with a challenge, 403 `wrong_instance`, 503 when the keys of an issuer cannot be fetched */
export type Authenticate = (authorization: string | undefined) => Promise<Principal>;

const MAX_TOKEN_LENGTH = 8_192;
const MAX_CACHED_TOKENS = 1_000;
const REQUIRED = ['iss', 'aud', 'sub', 'exp', 'iat'];
const TYPES = ['jwt', 'at+jwt'];
/** A token must not choose where its key comes from, nor require extensions (RFC 8725, section 3). */
const FORBIDDEN_HEADERS = ['crit', 'jku', 'jwk', 'x5u', 'x5c'];

/**
 * Verifies bearer tokens of the instance and of the platform. Which issuer's keys and algorithms apply is read from the
 * unverified `iss`; everything else is trusted only after the signature was verified.
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

  const verified = createVerifiedTokens(MAX_CACHED_TOKENS);

  /** What jose throws at a header that is not a JSON object is not an error of its own. */
  const headerOf = (token: string): ReturnType<typeof decodeProtectedHeader> => {
    try {
      return decodeProtectedHeader(token);
    } catch (error) {
      throw new errors.JWTInvalid('malformed header', { cause: error });
    }
  };

  const verify = async (token: string, now: number): Promise<Verified> => {
    // jose accepts other spellings of the last character, so an altered token would still be valid.
    if (!token.split('.').every(part => decodeBase64url(part)))
      throw new errors.JWTInvalid('not canonical base64url');
    const issuer = issuers.find(each => each.name === decodeJwt(token).iss);
    if (!issuer) throw new errors.JWTInvalid('unknown issuer');
    const { kind, keys } = issuer;
    const header = headerOf(token);
    if (FORBIDDEN_HEADERS.some(name => name in header)) throw new errors.JWTInvalid('forbidden header');
    if (header.typ !== undefined && !TYPES.includes(mediaType(header.typ)))
      throw new errors.JWTInvalid('wrong typ');
    if (header.cty !== undefined && mediaType(header.cty) === 'jwt')
      throw new errors.JWTInvalid('a token inside a token');
    const keyVersion = keys.version();
    const options: JWTVerifyOptions = {
      algorithms: [...keys.algorithms],
      issuer: issuer.name,
      audience: issuer.audience,
      requiredClaims: REQUIRED,
      clockTolerance: CLOCK_SKEW_SECONDS,
      currentDate: new Date(now * 1_000),
    };
    const { payload } = await jwtVerify(token, keys.keyFor, options).catch((error: unknown) => {
      // Without a kid nothing says which key was meant.
      if (!(error instanceof errors.JWKSMultipleMatchingKeys) || header.kid === undefined) throw error;
      return verifyWithAny(error, key => jwtVerify(token, key, options));
    });
    if (areMalformed(payload) || !areCurrentAt(payload, now)) throw new errors.JWTInvalid('malformed claims');
    if (kind === 'instance' && payload['instance_id'] !== config.instanceId)
      throw new Problem('wrong_instance', 'The token is for another instance.');
    return { kind, claims: payload, keys, keyVersion };
  };

  /** Of several keys with one kid, one must have signed. */
  const verifyWithAny = async <Result>(
    keys: AsyncIterable<CryptoKey>,
    verifyWith: (key: CryptoKey) => Promise<Result>,
  ): Promise<Result> => {
    for await (const key of keys)
      try {
        return await verifyWith(key);
      } catch (error) {
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
      }
    throw new errors.JWSSignatureVerificationFailed();
  };

  /** A verified signature is cached; expiry is checked on every call. */
  const principal = async (token: string, now: number): Promise<Principal> => {
    const known = verified.get(token);
    const { kind, claims } =
      known && areCurrentAt(known.claims, now) ? known : await verifyAndCache(token, now);
    return principalOf(claims, kind, config.acrValues, now);
  };

  const verifyAndCache = async (token: string, now: number): Promise<Verified> => {
    const found = await verify(token, now);
    verified.set(token, found);
    return found;
  };

  /** Errors of jose are about the token, all but those of fetching keys. */
  const isAboutToken = (error: unknown): boolean =>
    error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout) &&
    !(error instanceof errors.JWKSInvalid) &&
    error.code !== 'ERR_JOSE_GENERIC';

  return async authorization => {
    if (authorization === undefined) throw unauthenticated('A bearer token is required.', false);
    const token = BEARER.exec(authorization.slice(0, MAX_TOKEN_LENGTH + 'Bearer '.length + 1))?.[1];
    if (token === undefined || token.length > MAX_TOKEN_LENGTH)
      throw unauthenticated(
        `The Authorization header holds no ${isBearer(authorization) ? 'JWT' : 'bearer token'}.`,
        true,
      );
    try {
      return await principal(token, Math.floor(config.now() / 1_000));
    } catch (error) {
      if (error instanceof Problem) throw error;
      if (isAboutToken(error)) throw unauthenticated('The token is invalid or has expired.', true);
      throw Problem.unavailable('The keys of the issuer cannot be fetched; try again.', 5);
    }
  };
}

/** RFC 7515, section 4.1.9: `application/` may be left out, and case does not matter. */
const mediaType = (value: unknown): string =>
  String(value)
    .toLowerCase()
    .replace(/^application\//, '');

const isBearer = (authorization: string): boolean => /^Bearer /i.test(authorization);
const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]*)$/i;

/** RFC 6750, section 3.1: without a token the challenge names no error. */
const unauthenticated = (detail: string, hasToken: boolean): Problem =>
  new Problem('unauthenticated', detail, {
    headers: { 'WWW-Authenticate': hasToken ? 'Bearer error="invalid_token"' : 'Bearer' },
  });
