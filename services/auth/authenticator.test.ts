import type { JWK } from 'jose' with { 'resolution-mode': 'import' };
import { createPrivateKey, createSecretKey, randomUUID, sign } from 'node:crypto';
import { Problem } from '../../contracts/problem/problem';
import { createAuthenticator } from './authenticator';
import type { AuthConfig } from './config';
import { issueToken, type LocalIssuer } from './issue-token';
import { localKey, publicKeys, type SigningKey } from './local-keys';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const seconds = NOW / 1000;

let folder: string;
let instanceKey: SigningKey;
let platformKey: SigningKey;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidemark-auth-'));
  instanceKey = await localKey(folder, 'instance');
  platformKey = await localKey(folder, 'platform');
});
afterAll(() => rm(folder, { recursive: true }));

const config = (): AuthConfig => ({
  instanceId: 'local',
  instance: {
    issuer: 'urn:instance',
    audience: 'tidemark',
    algorithms: ['EdDSA', 'ES256', 'RS256'],
    keys: { kind: 'keys', keys: publicKeys(instanceKey) },
  },
  platform: {
    issuer: 'urn:platform',
    audience: 'tidemark',
    algorithms: ['EdDSA'],
    keys: { kind: 'keys', keys: publicKeys(platformKey) },
  },
  acrValues: ['aal2'],
  now: () => NOW,
});

const issuerOf = (kind: 'instance' | 'platform'): LocalIssuer => ({
  kind,
  issuer: `urn:${kind}`,
  audience: 'tidemark',
  instanceId: 'local',
  key: kind === 'instance' ? instanceKey : platformKey,
  acr: 'aal2',
  now: () => NOW,
});

const GOOD = {
  iss: 'urn:instance',
  aud: 'tidemark',
  sub: 'ann',
  iat: seconds,
  exp: seconds + 300,
  role: 'admin',
  instance_id: 'local',
};
type Claims = Record<string, unknown>;

/** Signs any two parts, which need not be JSON. */
function forgeText(header: string, claims: string, key: SigningKey = instanceKey): string {
  const text = [header, claims].map(each => Buffer.from(each).toString('base64url')).join('.');
  const privateKey = createPrivateKey({ key, format: 'jwk' });
  return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
}

/** Signs any claims, also those that an issuer would not sign. */
async function forge(claims: Claims, header: Claims = {}, key: SigningKey = instanceKey): Promise<string> {
  const { importJWK, SignJWT } = await import('jose');
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'EdDSA', kid: key.kid, typ: 'JWT', ...header })
    .sign(await importJWK(key, 'EdDSA'), header['crit'] ? { crit: { b64: true } } : undefined);
}

/** The same bytes in base64url that is not canonical: an unused bit of the last character is set, or a character added. */
function otherForm(part: string): string {
  const bytes = Buffer.from(part, 'base64url');
  if (part.length % 4 === 0) return `${part}A`;
  const other = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
    .map(last => part.slice(0, -1) + last)
    .find(text => text !== part && Buffer.from(text, 'base64url').equals(bytes));
  return other!;
}

/** A new pair of another algorithm. */
async function newKey(alg: string) {
  const { exportJWK, generateKeyPair } = await import('jose');
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { publicKey: await exportJWK(publicKey), privateKey };
}

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const authenticate = async (token: string | undefined, scheme = 'Bearer ') =>
  (await createAuthenticator(config()))(token === undefined ? undefined : scheme + token);

const refusal = async (attempt: Promise<unknown>): Promise<Problem> => {
  const problem = await attempt.then(
    () => null,
    (error: unknown) => error,
  );
  expect(problem).toBeInstanceOf(Problem);
  return problem as Problem;
};

describe('a token of the instance', () => {
  it('yields the subject and role of the caller', async () => {
    const token = await issueToken(issuerOf('instance'), {
      subject: 'ann',
      role: 'finance',
      secure: false,
      ttl: 60,
    });
    expect(await authenticate(token)).toEqual({
      subject: 'ann',
      issuer: 'instance',
      role: 'finance',
      secureSessionAge: null,
    });
  });

  it('may be a name in any script', async () => {
    for (const sub of ['Анна', '安娜', 'ann@example.org', 'auth0|5f7c8ec7c33c6c004bbafe82', '👩‍🔧'])
      expect(await authenticate(await forge({ ...GOOD, sub }))).toMatchObject({ subject: sub });
  });

  it('may be a minute too old or too young', async () => {
    for (const claims of [
      { ...GOOD, iat: seconds - 300, exp: seconds - 30 },
      { ...GOOD, nbf: seconds + 30 },
    ])
      expect(await authenticate(await forge(claims))).toMatchObject({ subject: 'ann', role: 'admin' });
  });

  it.each(['root', 'platform_admin', '', 7, null, ['admin'], undefined])(
    'has the lowest role when it says %j',
    async role =>
      expect(await authenticate(await forge({ ...GOOD, role }))).toMatchObject({ role: 'viewer' }),
  );

  it('is for one instance', async () => {
    for (const instance_id of ['other', undefined, ['local']]) {
      const problem = await refusal(authenticate(await forge({ ...GOOD, instance_id })));
      expect(problem).toMatchObject({ status: 403, code: 'wrong_instance' });
    }
  });
});

describe('a token of the platform', () => {
  it('has the role of a platform admin, regardless of its role claim', async () => {
    const token = await issueToken(issuerOf('platform'), {
      subject: 'ops',
      role: 'viewer',
      secure: true,
      ttl: 60,
    });
    expect(await authenticate(token)).toEqual({
      subject: 'ops',
      issuer: 'platform',
      role: 'platform_admin',
      secureSessionAge: 0,
    });
  });

  it('is not accepted from the issuer of the instance', async () => {
    const token = await forge({ ...GOOD, iss: 'urn:platform' });
    expect(await refusal(authenticate(token))).toMatchObject({ status: 401 });
  });
});

describe('a secure session', () => {
  const age = async (claims: Claims) =>
    (await authenticate(await forge({ ...GOOD, ...claims }))).secureSessionAge;

  it.each([
    ['acr', { acr: 'aal2', auth_time: seconds - 100 }, 100],
    ['otp', { amr: ['pwd', 'otp'], auth_time: seconds - 1 }, 1],
    ['a clock a little ahead', { amr: ['hwk'], auth_time: seconds + 30 }, 0],
    ['a password alone', { amr: ['pwd'], auth_time: seconds }, null],
    ['another acr', { acr: 'aal1', auth_time: seconds }, null],
    ['no time', { acr: 'aal2' }, null],
    ['a time in words', { acr: 'aal2', auth_time: String(seconds) }, null],
    ['a time to come', { acr: 'aal2', auth_time: seconds + 120 }, null],
    ['methods that are no list', { amr: 'otp', auth_time: seconds }, null],
  ])('by %s', async (_, claims, expected) => expect(await age(claims)).toBe(expected));

  it('by a time that is beyond all numbers', async () => {
    const claims = JSON.stringify({ ...GOOD, acr: 'aal2', auth_time: 0 }).replace(
      '"auth_time":0',
      '"auth_time":-1e999',
    );
    const header = JSON.stringify({ alg: 'EdDSA', kid: instanceKey.kid });
    expect(await authenticate(forgeText(header, claims))).toMatchObject({ secureSessionAge: null });
  });
});

describe('an attacker', () => {
  const attacks: [string, () => string | Promise<string>][] = [
    ['alg none', () => `${part({ alg: 'none' })}.${part(GOOD)}.`],
    ['alg None, with a signature', () => `${part({ alg: 'None' })}.${part(GOOD)}.AAAA`],
    [
      'HS256 with the public key as the secret',
      async () => {
        const { SignJWT } = await import('jose');
        const secret = createSecretKey(Buffer.from(JSON.stringify(publicKeys(instanceKey).keys[0])));
        return new SignJWT(GOOD).setProtectedHeader({ alg: 'HS256', kid: instanceKey.kid }).sign(secret);
      },
    ],
    [
      'HS256 with the bytes of the public key',
      async () => {
        const { SignJWT } = await import('jose');
        const secret = createSecretKey(Buffer.from(instanceKey.x!, 'base64url'));
        return new SignJWT(GOOD).setProtectedHeader({ alg: 'HS256' }).sign(secret);
      },
    ],
    ['a key of their own', async () => forge(GOOD, {}, await localKey(join(folder, 'mallory'), 'instance'))],
    [
      'a key of their own under our kid',
      async () => {
        const own = await localKey(join(folder, 'mallory'), 'instance');
        return forge(GOOD, { kid: instanceKey.kid }, own);
      },
    ],
    ['a key in the header', () => forge(GOOD, { jwk: publicKeys(instanceKey).keys[0] })],
    ['a place of keys', () => forge(GOOD, { jku: 'https://mallory.example/jwks' })],
    ['a certificate', () => forge(GOOD, { x5c: ['AAAA'] })],
    ['a place of certificates', () => forge(GOOD, { x5u: 'https://mallory.example/cert' })],
    ['an extension', () => forge(GOOD, { crit: ['b64'], b64: true })],
    ['a path as kid', () => forge(GOOD, { kid: '../../keys/platform.json' })],
    ['SQL as kid', () => forge(GOOD, { kid: "' OR 1=1 --" })],
    ['another kind of token', () => forge(GOOD, { typ: 'logout+jwt' })],
    ['another kind of token, in full', () => forge(GOOD, { typ: 'application/logout+jwt' })],
    ['a type of another tree', () => forge(GOOD, { typ: 'text/at+jwt' })],
    ['a token inside', () => forge(GOOD, { cty: 'JWT' })],
    ['a token inside, in full', () => forge(GOOD, { cty: 'application/jwt' })],
    ['a token inside, in small letters', () => forge(GOOD, { cty: 'jwt' })],
    ['an unknown issuer', () => forge({ ...GOOD, iss: 'urn:mallory' })],
    ['no issuer', () => forge({ ...GOOD, iss: undefined })],
    ['another audience', () => forge({ ...GOOD, aud: 'elsewhere' })],
    ['no audience', () => forge({ ...GOOD, aud: undefined })],
    ['no subject', () => forge({ ...GOOD, sub: undefined })],
    ['an empty subject', () => forge({ ...GOOD, sub: '' })],
    ['U+0000 in the subject', () => forge({ ...GOOD, sub: 'ann\0' })],
    ['a line feed in the subject', () => forge({ ...GOOD, sub: 'ann\n{"level":30}' })],
    ['an escape sequence in the subject', () => forge({ ...GOOD, sub: '\u001b[2Jann' })],
    ['a C1 control character in the subject', () => forge({ ...GOOD, sub: 'ann\u009b' })],
    ['a line separator in the subject', () => forge({ ...GOOD, sub: 'ann\u2028' })],
    ['a subject that nobody sees', () => forge({ ...GOOD, sub: '\u200b' })],
    ['a subject in another order than it is written', () => forge({ ...GOOD, sub: 'a\u202enna' })],
    ['half a character in the subject', () => forge({ ...GOOD, sub: 'ann\ud83d' })],
    ['a control character in the session', () => forge({ ...GOOD, sid: 'a\0b' })],
    ['a subject that is an object', () => forge({ ...GOOD, sub: { $ne: null } })],
    ['no expiry', () => forge({ ...GOOD, exp: undefined })],
    ['an expiry in words', () => forge({ ...GOOD, exp: 'never' })],
    ['no time of issue', () => forge({ ...GOOD, iat: undefined })],
    ['an expired token', () => forge({ ...GOOD, iat: seconds - 1_000, exp: seconds - 61 })],
    ['a token not valid yet', () => forge({ ...GOOD, nbf: seconds + 61 })],
    ['a token issued in the future', () => forge({ ...GOOD, iat: seconds + 61 })],
    ['a token for more than a day', () => forge({ ...GOOD, exp: seconds + 24 * 3_600 + 1 })],
    ['a token of the instance under the key of the platform', () => forge(GOOD, {}, platformKey)],
    ['a token of the platform under the key of the instance', () => forge({ ...GOOD, iss: 'urn:platform' })],
    ['a huge token', () => forge({ ...GOOD, padding: 'x'.repeat(10_000) })],
    [
      'other claims under the same signature',
      async () => {
        const [header, , signature] = (await forge(GOOD)).split('.');
        return `${header}.${part({ ...GOOD, role: 'owner' })}.${signature}`;
      },
    ],
    [
      'claims said twice under the same signature',
      async () => {
        const [header, payload, signature] = (await forge({ ...GOOD, role: 'viewer' })).split('.');
        const said = Buffer.from(payload!, 'base64url').toString();
        const twice = Buffer.from(said.replace('}', ',"role":"owner"}')).toString('base64url');
        return `${header}.${twice}.${signature}`;
      },
    ],
    ...[0, 1, 2].map((index): [string, () => Promise<string>] => [
      `another last character with the same bytes in part ${index}`,
      async () => {
        const parts = (await forge(GOOD)).split('.');
        parts[index] = otherForm(parts[index]!);
        return parts.join('.');
      },
    ]),
    [
      'no signature under a good header',
      async () => (await forge(GOOD)).split('.').slice(0, 2).join('.') + '.',
    ],
    [
      'ES256 and a signature of zeros',
      () =>
        `${part({ alg: 'ES256', kid: instanceKey.kid })}.${part(GOOD)}.${Buffer.alloc(64).toString('base64url')}`,
    ],
    [
      'RS256 for a key that is not one of RSA',
      () =>
        `${part({ alg: 'RS256', kid: instanceKey.kid })}.${part(GOOD)}.${Buffer.alloc(256, 1).toString('base64url')}`,
    ],
    [
      'algorithms in a row',
      async () => {
        const [, payload, signature] = (await forge(GOOD)).split('.');
        return `${part({ alg: ['EdDSA', 'none'], kid: instanceKey.kid })}.${payload}.${signature}`;
      },
    ],
    ['the kid of the other issuer', () => forge(GOOD, { kid: platformKey.kid }, instanceKey)],
    ['a kid that is an object', () => forge(GOOD, { kid: { $ne: null } })],
    ['a kid that is a prototype', () => forge(GOOD, { kid: '__proto__' })],
    ['issuers in a row', () => forge({ ...GOOD, iss: ['urn:instance'] })],
    ['a prototype for an issuer', () => forge({ ...GOOD, iss: '__proto__' })],
    ['a subject that is a number', () => forge({ ...GOOD, sub: 7 })],
    ['a subject without end', () => forge({ ...GOOD, sub: 'x'.repeat(256) })],
    ['a beginning in words', () => forge({ ...GOOD, nbf: 'tomorrow' })],
    ['a time of issue in words', () => forge({ ...GOOD, iat: 'today' })],
    ['an expiry before the time of issue', () => forge({ ...GOOD, iat: seconds, exp: seconds - 61 })],
    ...['nope', '[]', 'null', '7', '"x"', '{"alg":"EdDSA","typ":7}', '{"alg":"EdDSA","typ":null}'].map(
      (header): [string, () => string] => [
        `the header ${header}`,
        () => forgeText(header, JSON.stringify(GOOD)),
      ],
    ),
    ['four parts', async () => `${await forge(GOOD)}.AAAA`],
    ['quotes round it', async () => `"${await forge(GOOD)}"`],
    ['two of them', async () => `${await forge(GOOD)}, ${await forge(GOOD)}`],
    ['another alphabet', async () => (await forge(GOOD)).replace('.', '\u2024')],
    ['no token at all', () => ''],
    ['words', () => 'not a token'],
    ['two parts', () => 'a.b'],
    ['rubbish in three parts', () => 'a.b.c'],
    ['JSON that is no object', () => `${part([])}.${part('x')}.AAAA`],
  ];

  it.each(attacks)('with %s gets a 401', async (_, attack) => {
    const problem = await refusal(authenticate(await attack()));
    expect(problem).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(problem.headers).toEqual({ 'WWW-Authenticate': 'Bearer error="invalid_token"' });
  });

  it('without a header gets a challenge that names only the scheme', async () => {
    const problem = await refusal(authenticate(undefined));
    expect(problem.headers).toEqual({ 'WWW-Authenticate': 'Bearer' });
  });

  it('that is no token at all is not said to be absent', async () => {
    expect((await refusal(authenticate('abc'))).detail).toBe('The Authorization header holds no JWT.');
    expect((await refusal(authenticate('abc', 'Basic '))).detail).toBe(
      'The Authorization header holds no bearer token.',
    );
  });

  it('with another scheme is refused', async () => {
    for (const scheme of ['Basic ', 'DPoP ', '', 'BearerBearer '])
      expect(await refusal(authenticate(await forge(GOOD), scheme))).toMatchObject({ status: 401 });
  });
});

describe('an issuer', () => {
  const HS = randomUUID() + randomUUID();
  const withSecret = (secret: string): AuthConfig => ({
    ...config(),
    instance: { ...config().instance, keys: { kind: 'secret', secret } },
  });

  it('with a shared secret cannot use another algorithm', async () => {
    const { SignJWT } = await import('jose');
    const verify = await createAuthenticator(withSecret(HS));
    const signed = await new SignJWT(GOOD)
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(HS));
    expect(await verify(`Bearer ${signed}`)).toMatchObject({ subject: 'ann' });
    expect(await refusal(verify(`Bearer ${await forge(GOOD)}`))).toMatchObject({ status: 401 });
  });

  it('needs a secret of 32 bytes, keys by https, and a name of its own', async () => {
    await expect(createAuthenticator(withSecret('short'))).rejects.toThrow('shorter than 32 bytes');
    const { instance } = config();
    const byHttp = {
      ...instance,
      keys: { kind: 'url' as const, url: 'http://keys.example/jwks', maxStaleMs: 0 },
    };
    await expect(createAuthenticator({ ...config(), instance: byHttp })).rejects.toThrow('https');
    const same = { ...config().platform, issuer: instance.issuer };
    await expect(createAuthenticator({ ...config(), platform: same })).rejects.toThrow('different names');
  });

  it('with several keys needs a kid to choose by', async () => {
    const second = await localKey(join(folder, 'second'), 'instance');
    const keys = { keys: [...publicKeys(instanceKey).keys, ...publicKeys(second).keys] };
    const several = {
      ...config(),
      instance: { ...config().instance, keys: { kind: 'keys' as const, keys } },
    };
    const verify = await createAuthenticator(several);
    expect(await verify(`Bearer ${await forge(GOOD, {}, second)}`)).toMatchObject({ subject: 'ann' });
    const nameless = await forge(GOOD, { kid: undefined });
    expect(await refusal(verify(`Bearer ${nameless}`))).toMatchObject({ status: 401 });
    expect(await authenticate(nameless)).toMatchObject({ subject: 'ann' });
  });

  const withKeys = (keys: readonly JWK[]): AuthConfig => ({
    ...config(),
    instance: { ...config().instance, keys: { kind: 'keys', keys: { keys: [...keys] } } },
  });

  it('with one key for signatures needs no kid, whatever other keys it has', async () => {
    const encryption = { kty: 'OKP', crv: 'X25519', x: instanceKey.x!, use: 'enc' };
    const rsa = (await newKey('RS256')).publicKey;
    const nameless = await forge(GOOD, { kid: undefined });
    for (const others of [
      [encryption],
      [{ ...rsa, use: 'enc' }],
      [{ ...publicKeys(await localKey(join(folder, 'second'), 'instance')).keys[0]!, use: 'enc' }],
      [encryption, { ...rsa, use: 'sig' }],
    ])
      for (const keys of [
        [...publicKeys(instanceKey).keys, ...others],
        [...others, ...publicKeys(instanceKey).keys],
      ]) {
        const verify = await createAuthenticator(withKeys(keys));
        expect(await verify(`Bearer ${nameless}`)).toMatchObject({ subject: 'ann' });
        expect(await verify(`Bearer ${await forge(GOOD)}`)).toMatchObject({ subject: 'ann' });
      }
  });

  it('whose only key that fits is for encryption has none', async () => {
    const [key] = publicKeys(instanceKey).keys;
    const verify = await createAuthenticator(withKeys([{ ...key!, use: 'enc' }]));
    for (const token of [await forge(GOOD), await forge(GOOD, { kid: undefined })])
      expect(await refusal(verify(`Bearer ${token}`))).toMatchObject({ status: 401 });
  });

  it('may have several keys of one kid', async () => {
    const second = await localKey(join(folder, 'second'), 'instance');
    const rsa = await newKey('RS256');
    const kid = 'same';
    const own = [instanceKey, second].map(key => ({ ...publicKeys(key).keys[0]!, kid }));
    const damaged = { ...own[0]!, x: 'AAAA' };
    const verify = await createAuthenticator(
      withKeys([damaged, ...own, { ...rsa.publicKey, kid, alg: 'RS256' }]),
    );
    for (const key of [instanceKey, second])
      expect(await verify(`Bearer ${await forge(GOOD, { kid }, key)}`)).toMatchObject({ subject: 'ann' });
    const { SignJWT } = await import('jose');
    const byRsa = await new SignJWT(GOOD).setProtectedHeader({ alg: 'RS256', kid }).sign(rsa.privateKey);
    expect(await verify(`Bearer ${byRsa}`)).toMatchObject({ subject: 'ann' });
    const forged = await forge(GOOD, { kid }, await localKey(join(folder, 'mallory'), 'instance'));
    expect(await refusal(verify(`Bearer ${forged}`))).toMatchObject({ status: 401 });
    const expired = await forge({ ...GOOD, iat: seconds - 1_000, exp: seconds - 61 }, { kid }, second);
    expect(await refusal(verify(`Bearer ${expired}`))).toMatchObject({ status: 401 });
  });

  it.each(['JWT', 'jwt', 'at+jwt', 'AT+JWT', 'application/at+jwt', 'application/AT+jwt', 'application/jwt'])(
    'may name the type %s',
    async typ => expect(await authenticate(await forge(GOOD, { typ }))).toMatchObject({ subject: 'ann' }),
  );
});

describe('a token that was verified before', () => {
  const SECURE = { ...GOOD, acr: 'aal2', auth_time: seconds };
  let now: number;
  let verifications: jest.SpyInstance;

  beforeEach(() => {
    now = NOW;
    verifications = jest.spyOn(globalThis.crypto.subtle, 'verify');
  });
  afterEach(() => jest.restoreAllMocks());
  const atAnyTime = () => createAuthenticator({ ...config(), now: () => now });

  it('is verified once, and again by others', async () => {
    const token = `Bearer ${await forge(GOOD)}`;
    const verify = await atAnyTime();
    expect(await verify(token)).toEqual(await verify(token));
    expect(verifications).toHaveBeenCalledTimes(1);
    await (
      await atAnyTime()
    )(token);
    expect(verifications).toHaveBeenCalledTimes(2);
  });

  it('expires, and its strong authentication grows old', async () => {
    const token = `Bearer ${await forge(SECURE)}`;
    const verify = await atAnyTime();
    expect(await verify(token)).toMatchObject({ secureSessionAge: 0 });
    now += 359_000;
    expect(await verify(token)).toMatchObject({ secureSessionAge: 359 });
    now += 1_000;
    expect(await refusal(verify(token))).toMatchObject({ status: 401, code: 'unauthenticated' });
  });

  it('is not valid yet when the clock is set back', async () => {
    const verify = await atAnyTime();
    for (const claims of [{ ...GOOD, nbf: seconds }, GOOD]) {
      const token = `Bearer ${await forge(claims)}`;
      now = NOW;
      await verify(token);
      now -= 61_000;
      expect(await refusal(verify(token))).toMatchObject({ status: 401 });
    }
  });

  it('does not make another token with the same signature valid', async () => {
    const verify = await atAnyTime();
    const token = await forge(GOOD);
    await verify(`Bearer ${token}`);
    const [header, , signature] = token.split('.');
    const forged = `${header}.${part({ ...GOOD, role: 'owner' })}.${signature}`;
    expect(await refusal(verify(`Bearer ${forged}`))).toMatchObject({ status: 401 });
  });

  it('is invalid without its key, once the keys have been fetched again', async () => {
    let keys = publicKeys(instanceKey);
    const fetches = jest.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json(keys));
    const url = 'https://keys.example/jwks';
    const verify = await createAuthenticator({
      ...config(),
      instance: { ...config().instance, keys: { kind: 'url', url, maxStaleMs: 0 } },
    });
    const token = `Bearer ${await forge(GOOD)}`;
    for (let call = 0; call < 4; call++) await verify(token);
    expect(fetches).toHaveBeenCalledTimes(1);
    expect(verifications).toHaveBeenCalledTimes(2);

    keys = publicKeys(platformKey);
    const later = Date.now() + 11 * 60_000;
    jest.spyOn(Date, 'now').mockImplementation(() => later);
    expect(await refusal(verify(token))).toMatchObject({ status: 401 });
    expect(fetches).toHaveBeenCalledTimes(2);
  });

  it('is invalid when a token with a new key has caused the keys to be fetched', async () => {
    let keys = publicKeys(instanceKey);
    jest.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json(keys));
    const verify = await createAuthenticator({
      ...config(),
      instance: {
        ...config().instance,
        keys: { kind: 'url', url: 'https://keys.example/jwks', maxStaleMs: 0 },
      },
    });
    const old = `Bearer ${await forge(GOOD)}`;
    for (let call = 0; call < 2; call++) await verify(old);

    const second = await localKey(join(folder, 'second'), 'instance');
    keys = publicKeys(second);
    const later = Date.now() + 60_000;
    jest.spyOn(Date, 'now').mockImplementation(() => later);
    expect(await verify(old)).toMatchObject({ subject: 'ann' });
    expect(await verify(`Bearer ${await forge(GOOD, {}, second)}`)).toMatchObject({ subject: 'ann' });
    expect(await refusal(verify(old))).toMatchObject({ status: 401 });
  });
});

describe('a local key', () => {
  it('is stored, readable by its owner only', async () => {
    expect(await localKey(folder, 'instance')).toEqual(instanceKey);
    expect((await stat(join(folder, 'keys', 'instance.json'))).mode & 0o777).toBe(0o600);
  });

  it('is created once by concurrent first uses', async () => {
    const all = await Promise.all(
      Array.from({ length: 8 }, () => localKey(join(folder, 'race'), 'instance')),
    );
    expect(new Set(all.map(({ kid }) => kid)).size).toBe(1);
  });

  it('is published without its private part', () => {
    expect(publicKeys(instanceKey).keys[0]).not.toHaveProperty('d');
  });
});
