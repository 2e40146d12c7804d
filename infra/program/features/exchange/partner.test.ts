import { temporaryFolder } from '../../../../test/temporary-folder';
import { exchangeMetrics } from './metrics';
import { generateKeyPairSync } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import type { ExchangePartner, PartnerCall } from '../../../../contracts/ports/exchange-partner';
import { publicKey, privateKey } from '../../../../test/devnet/changelly';
import { startChangellyDouble } from '../../../devnet/exchange/changelly-double';
import { CleanupStack } from '../../cleanup-stack';
import { readConfig } from '../../settings/config';
import { exchangeDouble, exchangePartner } from './partner';
import type { ProgramDeps } from '../../feature';
import { createMetrics } from '../../metrics/metrics';
import { resourcesIn } from '../../resources';
import { WrongSettings } from '../../../config/settings';
import { LOCAL_NETWORKS } from '../../../../test/local-networks';

const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
const HEX = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('hex');
const user: PartnerCall = { priority: 'estimate', signal: new AbortController().signal };

const folder = temporaryFolder();
const cleanups: CleanupStack[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup.run();
});

/** A program with these settings, which runs its local networks itself, or leaves them to another process. */
function programOf(env: Record<string, string>, runsNetworks = true) {
  const config = readConfig({ DATA_DIR: join(folder, 'data'), LOCAL_NETWORK_PORT: '0', ...env });
  const cleanup = new CleanupStack();
  cleanups.push(cleanup);
  const local = { ton: new Map(runsNetworks ? [['mainnet', {}]] : []), solana: new Map() };
  const deps = {
    config,
    networks: { local },
    metrics: createMetrics([exchangeMetrics]),
    logger: pino({ level: 'silent' }),
    use: undefined as unknown,
  };
  const open = resourcesIn(cleanup);
  const use: ProgramDeps['use'] = resource => open(resource, deps as unknown as ProgramDeps);
  deps.use = use;
  return { use, partner: (): Promise<ExchangePartner | null> => use(exchangePartner) };
}

it('is a double on local networks, which keeps its orders and its key', async () => {
  const ids: string[] = [];
  for (let start = 0; start < 2; start++) {
    const partner = (await programOf({}).partner())!;
    expect(partner.sandbox).toBe(true);
    const { id } = await partner.createOrder(
      {
        from: 'btc',
        to: 'usdcsol',
        amountFrom: '0.01',
        payoutAddress: '11111111111111111111111111111112',
        refundAddress: null,
      },
      user,
    );
    ids.push(id);
    expect((await partner.orders(ids, user)).map(order => order.id)).toEqual(ids);
    await cleanups.pop()!.run();
  }
  expect(statSync(join(folder, 'data', 'keys', 'exchange-double')).mode & 0o777).toBe(0o600);
});

it('is the double of the process that runs the local networks, in others', async () => {
  const port = 20_000 + (process.pid % 10_000);
  const env = { LOCAL_NETWORK_PORT: String(port), KAFKA_BROKERS: '127.0.0.1:9' };
  const engines = { EVENTSTORE_URL: 'esdb://a', MONGODB_URL: 'mongodb://a', REDIS_URL: 'redis://a' };
  const { url } = await programOf({ ...env, ...engines }).use(exchangeDouble);
  expect(new URL(url).port).toBe(String(port + 6));
  const other = (await programOf({ ...env, ...engines }, false).partner())!;
  expect(other.sandbox).toBe(true);
  expect(await other.sourcesOf('sol', user)).toContain('btc');
});

it.each(['TON_RPC_URL_MAINNET', 'TON_RPC_URL_TESTNET', 'SOLANA_RPC_URL_MAINNET', 'SOLANA_RPC_URL_DEVNET'])(
  'is nobody where a network is a real one (%s)',
  async network => {
    expect(await programOf({ ...LOCAL_NETWORKS, [network]: 'https://node.example' }).partner()).toBeNull();
  },
);

it('is nobody where no network is left that it could pretend to serve', async () => {
  const off = Object.fromEntries(Object.keys(LOCAL_NETWORKS).map(name => [name, 'off']));
  expect(await programOf(off).partner()).toBeNull();
  expect(await programOf({ ...off, SOLANA_RPC_URL_MAINNET: 'local' }).partner()).toMatchObject({
    sandbox: true,
  });
});

it.each(['environment', 'file'])('is the partner whose key is in the %s, on any networks', async source => {
  const file = join(folder, 'partner-key');
  writeFileSync(file, `${HEX}\n`);
  const double = await startChangellyDouble({ publicKey });
  try {
    for (const networks of [{}, { ...LOCAL_NETWORKS, TON_RPC_URL_MAINNET: 'https://node.example' }]) {
      const key = source === 'file' ? { CHANGELLY_PRIVATE_KEY_FILE: file } : { CHANGELLY_PRIVATE_KEY: PEM };
      const partner = (await programOf({ CHANGELLY_URL: double.url, ...key, ...networks }).partner())!;
      expect(partner.sandbox).toBe(false);
      expect(await partner.sourcesOf('ton', user)).toContain('btc');
    }
  } finally {
    await double.close();
  }
});

it.each([
  ['is no key', 'PRIVATE secret', 'not an RSA private key'],
  [
    'is a key of another kind',
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    'not an RSA private key',
  ],
])('names a file that %s, and nothing of its content', async (_, content, fault) => {
  const file = join(folder, 'wrong-key');
  writeFileSync(file, content);
  const error: unknown = await programOf({ CHANGELLY_PRIVATE_KEY_FILE: file })
    .partner()
    .catch((reason: unknown) => reason);
  expect((error as Error).message).toContain(`${file}: ${fault}`);
  expect((error as Error).message).not.toMatch(/secret|BEGIN/);
});

it('names a file that is not there', async () => {
  const file = join(folder, 'nowhere');
  await expect(programOf({ CHANGELLY_PRIVATE_KEY_FILE: file }).partner()).rejects.toThrow(
    `${file}: the file cannot be read (ENOENT)`,
  );
});

it.each([
  ['CHANGELLY_PRIVATE_KEY_FILE', { CHANGELLY_PRIVATE_KEY: HEX, CHANGELLY_PRIVATE_KEY_FILE: 'x' }],
  ['CHANGELLY_PASSWORD', { CHANGELLY_USER: 'wallet' }],
  ['CHANGELLY_USER', { CHANGELLY_PASSWORD: 'secret' }],
  ['CHANGELLY_URL', { CHANGELLY_URL: 'ftp://api.example' }],
  ['CHANGELLY_URL', { CHANGELLY_URL: 'http://api.example/v2' }],
  ['CHANGELLY_URL', { CHANGELLY_URL: 'http://127.0.0.1.example/v2' }],
  ['EXCHANGE_REQUESTS_PER_SECOND', { EXCHANGE_REQUESTS_PER_SECOND: '0' }],
])('refuses settings that do not fit, naming %s', (name, env) => {
  expect(() => readConfig(env)).toThrow(WrongSettings);
  expect(() => readConfig(env)).toThrow(new RegExp(`^${name}=`));
});

it('does not show a key that is wrong', () => {
  const wrong = HEX.slice(0, 400);
  const refused = (): unknown => readConfig({ CHANGELLY_PRIVATE_KEY: wrong });
  expect(refused).toThrow('CHANGELLY_PRIVATE_KEY=[redacted]');
  expect(refused).not.toThrow(wrong.slice(0, 20));
});
