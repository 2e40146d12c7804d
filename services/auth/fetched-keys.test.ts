import type { JSONWebKeySet, JWTHeaderParameters } from 'jose' with { 'resolution-mode': 'import' };
import { generateKeyPairSync } from 'node:crypto';
import { type FailedFetch, type FetchedKeys, fetchedKeys, type FetchedKeysOptions } from './fetched-keys';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const URL = 'https://keys.example/jwks';

const keySet = (...kids: string[]): JSONWebKeySet => ({
  keys: kids.map(kid => ({
    ...generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }),
    kid,
    alg: 'EdDSA',
  })) as JSONWebKeySet['keys'],
});

let now: number;
/** Null while the server is down. */
let answer: JSONWebKeySet | null;
let fetches: jest.SpyInstance;
let outcomes: (FailedFetch | null)[];

beforeEach(() => {
  now = 1_800_000_000_000;
  answer = keySet('a');
  outcomes = [];
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  fetches = jest.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    if (answer === null) throw new TypeError('fetch failed');
    return Response.json(answer);
  });
});
afterEach(() => jest.restoreAllMocks());

const open = async (options: Partial<FetchedKeysOptions> = {}) => {
  const { keyFor, version } = await fetchedKeys({
    url: URL,
    maxStaleMs: DAY_MS,
    onFetched: outcome => outcomes.push(outcome),
    ...options,
  });
  const use = (kid: string): Promise<unknown> => {
    const header: JWTHeaderParameters = { alg: 'EdDSA', kid };
    return Promise.resolve(keyFor(header, { payload: '', signature: '' }));
  };
  return { use, version };
};
const noSuchKey = { code: 'ERR_JWKS_NO_MATCHING_KEY' };

it('are fetched once in ten minutes, however many tokens there are', async () => {
  const { use } = await open();
  await Promise.all([use('a'), use('a')]);
  now += 9 * MINUTE_MS;
  await use('a');
  expect(fetches).toHaveBeenCalledTimes(1);
  now += 2 * MINUTE_MS;
  await use('a');
  expect(fetches).toHaveBeenCalledTimes(2);
});

it('serve for a day while the server is down, and no longer', async () => {
  const { use } = await open();
  await use('a');
  answer = null;
  for (const elapsed of [11 * MINUTE_MS, 60 * MINUTE_MS, DAY_MS - 72 * MINUTE_MS]) {
    now += elapsed;
    await expect(use('a')).resolves.toBeDefined();
  }
  now += 2 * MINUTE_MS;
  await expect(use('a')).rejects.toThrow('fetch failed');
  answer = keySet('a');
  now += MINUTE_MS;
  await expect(use('a')).resolves.toBeDefined();
});

it('serve for no longer than fresh when that is set', async () => {
  const { use } = await open({ maxStaleMs: 0 });
  await use('a');
  answer = null;
  now += 11 * MINUTE_MS;
  await expect(use('a')).rejects.toThrow('fetch failed');
});

it('are asked for every half a minute while the server is down, whatever tokens arrive', async () => {
  const { use } = await open();
  await use('a');
  answer = null;
  now += 11 * MINUTE_MS;
  for (let second = 0; second < 60; second++) {
    await use('a');
    await expect(use(`unknown-${second}`)).rejects.toThrow('fetch failed');
    now += 1_000;
  }
  expect(fetches).toHaveBeenCalledTimes(3);
  expect(outcomes).toEqual([
    null,
    { error: expect.any(TypeError) as unknown, keysAge: 11 * MINUTE_MS },
    { error: expect.any(TypeError) as unknown, keysAge: 11 * MINUTE_MS + 30_000 },
  ]);
});

it('make only the first token wait for a server that does not answer', async () => {
  const { use } = await open();
  await use('a');
  answer = null;
  now += 11 * MINUTE_MS;
  await use('a');
  now += MINUTE_MS;
  fetches.mockImplementation(() => new Promise(() => undefined));
  await expect(use('a')).resolves.toBeDefined();
  expect(fetches).toHaveBeenCalledTimes(3);
});

it('that were rotated are fetched for the first token that names one, and the old one is gone', async () => {
  const { use } = await open();
  await use('a');
  answer = keySet('b');
  await expect(use('b')).rejects.toMatchObject(noSuchKey);
  now += 31_000;
  await expect(use('a')).resolves.toBeDefined();
  await expect(use('b')).resolves.toBeDefined();
  await expect(use('a')).rejects.toMatchObject(noSuchKey);
});

it('that were revoked are refused once the server answers again', async () => {
  const { use } = await open();
  await use('a');
  answer = null;
  now += 11 * MINUTE_MS;
  await use('a');
  answer = keySet('b');
  now += MINUTE_MS;
  await use('a'); // it does not wait for the fetch that it starts
  await new Promise(resolve => setImmediate(resolve));
  await expect(use('a')).rejects.toMatchObject(noSuchKey);
});

it('that no fetch can confirm are not said to be missing', async () => {
  const { use } = await open();
  await use('a');
  answer = null;
  now += MINUTE_MS;
  await expect(use('rotated')).rejects.toThrow('fetch failed');
  await expect(use('a')).resolves.toBeDefined();
});

it('that were never fetched are asked for once a second', async () => {
  answer = null;
  const { use } = await open();
  for (let call = 0; call < 10; call++) await expect(use('a')).rejects.toThrow('fetch failed');
  expect(fetches).toHaveBeenCalledTimes(1);
  expect(outcomes).toEqual([{ error: expect.any(TypeError) as unknown, keysAge: null }]);
  answer = keySet('a');
  now += 1_000;
  await expect(use('a')).resolves.toBeDefined();
});

it('outlive the process, for as long as they would have served in it', async () => {
  let kept: FetchedKeys | null = null;
  const stored = {
    read: async () => kept,
    write: async (keys: FetchedKeys) => void (kept = structuredClone(keys)),
  };
  await (await open({ stored })).use('a');
  answer = null;
  now += DAY_MS - MINUTE_MS;
  await expect((await open({ stored })).use('a')).resolves.toBeDefined();
  now += 2 * MINUTE_MS;
  await expect((await open({ stored })).use('a')).rejects.toThrow('fetch failed');
});

it('that cannot be stored are used all the same, and nobody is told of a failed fetch', async () => {
  const stored = {
    read: async () => null,
    write: () => Promise.reject(new Error('the disk is full')),
  };
  const { use } = await open({ stored });
  await expect(use('a')).resolves.toBeDefined();
  await expect(use('unknown')).rejects.toMatchObject(noSuchKey);
  expect(outcomes).toEqual([null]);
});

it.each([60 * MINUTE_MS, 30 * DAY_MS])(
  'are asked for again, and serve no longer, when the clock is set back by %i ms',
  async back => {
    let kept: FetchedKeys | null = null;
    const stored = {
      read: async () => kept,
      write: async (keys: FetchedKeys) => void (kept = structuredClone(keys)),
    };
    const { use } = await open({ stored });
    await use('a');
    now -= back;
    await expect(use('a')).resolves.toBeDefined();
    answer = keySet('b');
    for (const set of [{ use }, await open({ stored })]) {
      now += MINUTE_MS;
      await expect(set.use('b')).resolves.toBeDefined();
      await expect(set.use('a')).rejects.toMatchObject(noSuchKey);
    }
  },
);

it('of a time to come are none, when it is further than they would serve', async () => {
  const stored = {
    read: async () => ({ uat: now + DAY_MS + MINUTE_MS, jwks: keySet('a') as FetchedKeys['jwks'] }),
    write: async () => undefined,
  };
  answer = null;
  await expect((await open({ stored })).use('a')).rejects.toThrow('fetch failed');
});

it('that no longer serve have no version, so that no token verified with them is valid', async () => {
  const { use, version } = await open();
  await use('a');
  answer = null;
  now += DAY_MS + MINUTE_MS;
  await expect(use('a')).rejects.toThrow('fetch failed');
  expect(version()).toBeNull();
});

it('have a version for as long as no fetch is due, also while the server is down', async () => {
  const { use, version } = await open();
  expect(version()).toBeNull();
  await use('a');
  const first = version();
  expect(first).not.toBeNull();
  now += 11 * MINUTE_MS;
  expect(version()).toBeNull();
  answer = null;
  await use('a');
  expect(version()).toBe(first);
  now += MINUTE_MS;
  expect(version()).toBeNull();
  answer = keySet('a');
  await use('a');
  await new Promise(resolve => setImmediate(resolve));
  expect(version()).not.toBe(first);
});
