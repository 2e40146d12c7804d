import { beginCell, safeSign } from '@ton/core';
import type { KeyPair } from '@ton/crypto';
import { CONNECT_COMMAND_RETENTION, CONNECT_SESSION_RETENTION } from '../../services/connect/retention';
import { applyIn } from '../apply-retention';
import { startConnectServer, type ConnectServer } from './server';
import { keyPair, WalletApp } from './wallet-app';

const DAY_MS = 86_400_000;

let server: ConnectServer;
beforeEach(async () => {
  server = await startConnectServer();
});
afterEach(() => server?.stop());

const get = async (path: string): Promise<unknown> => (await fetch(server.url + path)).json();
const post = async (path: string, body: object): Promise<unknown> => {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
};
const keyOf = ({ publicKey }: KeyPair): string => publicKey.toString('base64url');
const open = (keys: KeyPair): Promise<unknown> =>
  post('/connect/init', {
    ...{ key: keyOf(keys), testnet: false, name: 'An app', url: 'https://app.example' },
  });
const wallet = new WalletApp(1);
const answer = (keys: KeyPair) => post('/connect/answer', wallet.answer(keyOf(keys)));
const state = (keys: KeyPair) => get(`/connect/${keyOf(keys)}`);
const command = () => get(`/connect/command/${wallet.installation.publicKey.toString('base64url')}`);
/** @param kind so that two are not the same @param validFor seconds */
const jobOf = (keys: KeyPair, kind: number, validFor = 600): string => {
  const seconds = Math.floor((Date.now() + server.ahead) / 1_000);
  const job = beginCell()
    .storeBuffer(wallet.installation.publicKey)
    .storeUint(seconds + validFor, 32)
    .storeCoins(kind)
    .storeRef(beginCell())
    .endCell();
  const signature = safeSign(job, keys.secretKey);
  const signed = beginCell().storeBuffer(signature).storeBuffer(keys.publicKey).storeRef(job).endCell();
  return signed.toBoc().toString('base64');
};
const submit = (job: string) => post('/connect/command', { job });
const typesLeft = async (): Promise<string[]> =>
  (await server.events()).map(({ type }) => type).filter(type => type.startsWith('Connect'));
const rebuilt = async (documents: number): Promise<void> => {
  const { comparison } = await server.deps.engine.rebuild('connections', server.deps);
  expect(comparison).toMatchObject({ documents, different: 0, inconclusive: 0 });
};

it('a session that nobody has answered for long may be opened again, and one that was revoked is revoked for ever', async () => {
  const [unanswered, connected, parted] = [keyPair(11), keyPair(12), keyPair(13)];
  for (const keys of [unanswered, connected, parted]) await open(keys);
  for (const keys of [connected, parted]) expect(await answer(keys)).toEqual({ ok: true });
  await post('/connect/revoke', { key: keyOf(parted) });

  server.ahead = 29 * DAY_MS;
  await applyIn(server, CONNECT_SESSION_RETENTION);
  expect(await typesLeft()).toHaveLength(6);
  server.ahead = 400 * DAY_MS;
  await applyIn(server, CONNECT_SESSION_RETENTION);
  expect((await typesLeft()).sort()).toEqual([
    ...['ConnectSessionAnswered', 'ConnectSessionAnswered', 'ConnectSessionOpened', 'ConnectSessionOpened'],
    ...['ConnectSessionRemoved', 'ConnectSessionRevoked'],
  ]);
  await server.deps.engine.views.waitForPosition(
    'connect_sessions',
    await server.deps.engines.store.head(),
    5_000,
  );
  await rebuilt(3);
  expect(await state(unanswered)).toEqual({ state: 'not_found' });
  expect(await open(unanswered)).toEqual({ ok: true });
  expect(await state(unanswered)).toMatchObject({ state: 'initing' });

  expect(await state(connected)).toMatchObject({ state: 'ready', revoked: false });
  // What the wallet has signed then does not connect it again.
  await open(parted);
  await answer(parted);
  expect(await state(parted)).toMatchObject({ state: 'ready', status: 'invalid', revoked: true });
});

it('a command that has expired long ago is unknown, cannot be submitted again, and makes place for others', async () => {
  const keys = keyPair(14);
  await open(keys);
  await answer(keys);
  const [first, second] = [jobOf(keys, 0), jobOf(keys, 1)];
  for (const job of [first, second]) expect(await submit(job)).toEqual({ ok: true });
  expect(await command()).toMatchObject({ state: 'submitted', job: second });

  server.ahead = 29 * DAY_MS;
  // The last event of a store cannot be deleted.
  await open(keyPair(15));
  await applyIn(server, CONNECT_COMMAND_RETENTION);
  expect(await typesLeft()).not.toContain('ConnectCommandRemoved');
  server.ahead = 31 * DAY_MS;
  await applyIn(server, CONNECT_COMMAND_RETENTION);
  const types = await typesLeft();
  expect(types.filter(type => type === 'ConnectCommandRemoved')).toHaveLength(2);
  await server.deps.engine.views.waitForPosition(
    'connect_commands',
    await server.deps.engines.store.head(),
    5_000,
  );
  expect(await command()).toMatchObject({ state: 'empty' });
  await rebuilt(3);

  expect(await submit(second)).toMatchObject({ errors: [{ code: 'expired' }] });
  const third = jobOf(keys, 0);
  expect(await submit(third)).toEqual({ ok: true });
  expect(await command()).toMatchObject({ state: 'submitted', job: third });
});

it('a command that is valid for a year is unknown after a month, does not come back when it is posted again, and then goes', async () => {
  const keys = keyPair(14);
  await open(keys);
  await answer(keys);
  const job = jobOf(keys, 0, 364 * 86_400);
  expect(await submit(job)).toEqual({ ok: true });
  await open(keyPair(15));
  const recorded = async (): Promise<string[]> =>
    (await typesLeft()).filter(type => type.startsWith('ConnectCommand'));

  for (let days = 31; days < 364; days += 31) {
    server.ahead = days * DAY_MS;
    await applyIn(server, CONNECT_COMMAND_RETENTION);
    expect(await recorded()).toEqual(['ConnectCommandRemoved']);
    await open(keyPair(days));
    expect(await submit(job)).toEqual({ ok: true });
    expect(await command()).toMatchObject({ state: 'empty' });
  }
  for (const days of [372, 403]) {
    server.ahead = days * DAY_MS;
    await applyIn(server, CONNECT_COMMAND_RETENTION);
    await open(keyPair(255));
  }
  expect(await recorded()).toEqual([]);
  expect(await submit(job)).toMatchObject({ errors: [{ code: 'expired' }] });
});
