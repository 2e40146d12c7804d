import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthenticator } from '../../../services/auth/authenticator';
import { issueToken } from '../../../services/auth/issue-token';
import { localKey, publicKeys, type SigningKey } from '../../../services/auth/local-keys';
import { temporaryFolder } from '../../../test/temporary-folder';
import { authConfig, reportKeyFetches } from './auth';
import { readConfig } from '../settings/config';
import { createMetrics } from '../metrics/metrics';

const HOUR_MS = 3_600_000;

let folder: string;
let key: SigningKey;
let now: number;
let isDown: boolean;
let warnings: object[];
let metrics: ReturnType<typeof createMetrics>;

beforeEach(async () => {
  folder = temporaryFolder();
  key = await localKey(join(folder, 'issuer'), 'instance');
  now = Date.now();
  isDown = false;
  warnings = [];
  metrics = createMetrics();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  jest.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    if (isDown) throw new TypeError('fetch failed');
    return Response.json(publicKeys(key));
  });
});
afterEach(() => jest.restoreAllMocks());

/** A started program, as far as tokens are concerned. */
const start = async (settings: Readonly<Record<string, string>> = {}) => {
  const config = readConfig({
    DATA_DIR: join(folder, 'data'),
    INSTANCE_JWT_JWKS_URL: 'https://keys.example/jwks',
    ...settings,
  });
  const logger = { warn: (fields: object) => void warnings.push(fields) };
  const authenticate = await createAuthenticator(
    await authConfig(config, Date.now, reportKeyFetches(metrics, logger as never)),
  );
  return async (): Promise<unknown> => {
    const token = await issueToken(
      {
        kind: 'instance',
        issuer: config.INSTANCE_JWT_ISSUER,
        audience: config.INSTANCE_JWT_AUDIENCE,
        instanceId: config.INSTANCE_ID,
        key,
        acr: 'aal2',
        now: Date.now,
      },
      { subject: 'ann', role: 'viewer', secure: false, ttl: 60 },
    );
    return authenticate(`Bearer ${token}`);
  };
};

const staleSeconds = async (): Promise<number> =>
  (await metrics.jwksStaleSeconds.get()).values.find(({ labels }) => labels.issuer === 'instance')!.value;

it('while the JWKS URL does not answer, tokens are verified with the last keys, with a warning and a metric', async () => {
  const call = await start();
  await call();
  isDown = true;
  now += HOUR_MS;
  await expect(call()).resolves.toMatchObject({ subject: 'ann' });
  expect(warnings).toMatchObject([{ issuer: 'instance', keysAgeSeconds: 3_600 }]);
  expect(await staleSeconds()).toBe(3_600);
  now += 23 * HOUR_MS;
  await expect(call()).rejects.toMatchObject({ status: 503 });
  isDown = false;
  now += 60_000;
  await expect(call()).resolves.toMatchObject({ subject: 'ann' });
  expect(await staleSeconds()).toBe(0);
  expect((await metrics.jwksFetches.get()).values).toMatchObject([
    { labels: { issuer: 'instance', outcome: 'fetched' }, value: 2 },
    { labels: { issuer: 'instance', outcome: 'failed' }, value: 2 },
  ]);
});

it('JWKS_STALE_SECONDS limits for how long', async () => {
  const call = await start({ JWKS_STALE_SECONDS: '1800' });
  await call();
  isDown = true;
  now += HOUR_MS / 3;
  await expect(call()).resolves.toMatchObject({ subject: 'ann' });
  now += HOUR_MS / 3;
  await expect(call()).rejects.toMatchObject({ status: 503 });
});

it('a program that is started meanwhile uses them too, unless its URL is another one', async () => {
  await (
    await start()
  )();
  isDown = true;
  now += HOUR_MS;
  const jwks = join(folder, 'data', 'jwks');
  expect(readdirSync(jwks)).toEqual(['instance.json']);
  expect(statSync(join(jwks, 'instance.json')).mode & 0o777).toBe(0o600);
  await expect((await start())()).resolves.toMatchObject({ subject: 'ann' });
  const other = await start({ INSTANCE_JWT_JWKS_URL: 'https://other.example/jwks' });
  await expect(other()).rejects.toMatchObject({ status: 503 });
});

it.each(['', '{', '{"url":"https://keys.example/jwks","uat":1,"jwks":{"keys":7}}'])(
  'a damaged file of keys, %j, is as good as none',
  async text => {
    await (
      await start()
    )();
    writeFileSync(join(folder, 'data', 'jwks', 'instance.json'), text);
    const call = await start();
    isDown = true;
    await expect(call()).rejects.toMatchObject({ status: 503 });
    isDown = false;
    now += 1_000;
    await expect(call()).resolves.toMatchObject({ subject: 'ann' });
  },
);
