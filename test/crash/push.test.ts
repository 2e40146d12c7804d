import { randomBytes } from 'node:crypto';
import { readJson } from '../../contracts/json/read-json';
import { pushCommand } from '../../infra/program/features/push/push-command';
import { readConfig } from '../../infra/program/settings/config';
import { runCommand } from '../command-line';
import { startExpoDouble, type ExpoDouble } from '../doubles/expo';
import { send } from '../e2e/client';
import type { LocalNetworks } from '../e2e/installation';
import { spawnTidemark, type Tidemark } from '../e2e/tidemark';
import { scaled } from '../random';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import { report } from './report';
import { LOCAL_MAINNETS } from '../local-networks';

const KILLS = scaled(0.15);
const ACCOUNTS = 100;
const DEVICES_OF_ACCOUNT = 10;
const DEVICES = ACCOUNTS * DEVICES_OF_ACCOUNT;
/** The answer of Expo takes so long: the program is killed while calls are on their way. */
const ANSWER_MS = 500;
const FINISH_MS = 600_000;

interface Notification {
  readonly status: string;
  readonly device: string;
}

const folder = temporaryFolder();
let expo: ExpoDouble;
let program: Tidemark;
beforeAll(async () => {
  expo = await startExpoDouble();
});
afterAll(async () => {
  await program?.kill('SIGKILL');
  await expo.close();
});

const settings = () => ({
  DATA_DIR: folder,
  LOCAL_TRAFFIC: 'false',
  ...LOCAL_MAINNETS,
  PUSH_PROVIDER: 'expo',
  EXPO_URL: expo.url,
});
const start = (): Promise<Tidemark> => spawnTidemark(settings()).ready();
const accounts = Array.from({ length: ACCOUNTS }, () => `0:${randomBytes(32).toString('hex')}`);
const devices = Array.from({ length: DEVICES }, (_, n) => n);

/** All at a time, as many as there are clients. */
async function forEach<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const client = async (): Promise<void> => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await run(item);
  };
  await Promise.all(Array.from({ length: 16 }, client));
}

const tokenOf = (device: number): string => `ExponentPushToken[${device}]`;
const accountOf = (device: number): string => accounts[device % ACCOUNTS]!;
const tokensOf = (account: string): string[] => devices.filter(n => accountOf(n) === account).map(tokenOf);

/** Each account has devices of its own. */
async function registerAll({ url }: Tidemark): Promise<void> {
  const appPublicKey = Buffer.alloc(32).toString('base64');
  await forEach(devices, async n => {
    const body = { token: tokenOf(n), appPublicKey, addresses: [accountOf(n)] };
    const answer = await send(url, 'POST', '/push/register', { body: JSON.stringify(body) });
    expect([answer.status, answer.body]).toEqual([200, { ok: true, addresses: 1, ignored: 0 }]);
  });
}

async function fund({ url }: Tidemark, funded: readonly string[]): Promise<void> {
  const { ton } = (await send(url, 'GET', '/devnet')).body as LocalNetworks;
  const { endpoint } = ton.find(({ network }) => network === 'mainnet')!;
  await forEach(funded, async address => {
    const response = await fetch(`${endpoint}/faucet`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ address, amount: '1000000000' }),
    });
    expect(response.status).toBe(200);
  });
}

const isOver = (status: string): boolean => status === 'accepted' || status === 'outcome_unknown';
/** Read in this process: it is asked for until all are sent, and another process takes half a second of the processor. */
async function outbox(): Promise<Notification[]> {
  const config = () => readConfig({ ...settings(), LOG_LEVEL: 'fatal' });
  const words = ['--json', 'push', 'outbox', '--limit', String(DEVICES)];
  const { notifications } = readJson(await runCommand([pushCommand], config, words)) as {
    notifications: Notification[];
  };
  return notifications;
}

test(`${DEVICES} devices are notified once each by a program that is killed ${KILLS} times`, async () => {
  expo.delayMs = ANSWER_MS;
  program = await start();
  await registerAll(program);
  const share = Math.ceil(ACCOUNTS / (KILLS + 1));
  for (let kill = 1; kill <= KILLS; kill++) {
    const funded = accounts.slice((kill - 1) * share, kill * share);
    await fund(program, funded);
    const isOneSent = () => funded.some(account => tokensOf(account).some(token => expo.sent.has(token)));
    await until(isOneSent, Boolean, FINISH_MS);
    expect(await program.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
    program = await start();
  }
  await fund(program, accounts.slice(KILLS * share));
  const found = await until(
    outbox,
    all => all.length === DEVICES && all.every(({ status }) => isOver(status)),
    FINISH_MS,
  );
  expect(await program.kill('SIGTERM')).toEqual({ code: 0, signal: null });

  const doubled = [...expo.sent.values()].filter(({ length }) => length > 1).length;
  const unknown = found.filter(({ status }) => status === 'outcome_unknown').length;
  const missing = DEVICES - expo.sent.size;
  expect(doubled).toBe(0);
  // Killed between the claim and the call, which nobody can distinguish from between the call and its answer: so the operators see it.
  expect(missing).toBeLessThanOrEqual(unknown);
  report([
    ['times killed', KILLS],
    ['devices', DEVICES],
    ['calls to the double of Expo', expo.calls.length],
    ['notified twice', doubled],
    ['claimed by a program that was killed', unknown],
    ['of these not notified', missing],
  ]);
});
