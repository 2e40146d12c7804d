import { beginCell, safeSign } from '@ton/core';
import type { KeyPair } from '@ton/crypto';
import {
  ANSWERED_SESSION_RETENTION,
  CONNECT_COMMAND_RETENTION,
  CONNECT_SESSION_RETENTION,
} from '../../services/connect/retention';
import type { ConnectSessionDocument } from '../../projections/connect/connections';
import type { EventStore } from '../../contracts/ports/event-store';
import type { Retention } from '../../services/retention/retention';
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
    key: keyOf(keys),
    testnet: false,
    name: 'An app',
    url: 'https://app.example',
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
/** Applies a retention to events as if the store had the clock of the program. */
const applyWhenRecorded = (retention: Retention): Promise<number> => {
  const { deps } = server;
  const { store } = deps.engines;
  const readAll: EventStore['readAll'] = async function* (options) {
    for await (const page of store.readAll(options))
      yield page.map(event => ({ ...event, created: event.data['at'] as string }));
  };
  const engines = { ...deps.engines, store: { ...store, readAll } };
  return applyIn({ deps: { ...deps, engines } }, retention);
};
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
  await rebuilt(2);
  expect(await state(unanswered)).toEqual({ state: 'not_found' });
  expect(await open(unanswered)).toEqual({ ok: true });
  expect(await state(unanswered)).toMatchObject({ state: 'initing' });

  expect(await state(connected)).toMatchObject({ state: 'ready', revoked: false });
  // What the wallet has signed then does not connect it again.
  await open(parted);
  await answer(parted);
  expect(await state(parted)).toMatchObject({ state: 'ready', status: 'invalid', revoked: true });
});

it('a session that was answered stays while it is used, in whichever way, and is unknown a year after the last use', async () => {
  const [commanding, asking, waiting, unused] = [21, 22, 23, 24].map(keyPair) as [
    KeyPair,
    KeyPair,
    KeyPair,
    KeyPair,
  ];
  const all = [commanding, asking, waiting, unused];
  for (const keys of all) await open(keys);
  for (const keys of all) expect(await answer(keys)).toEqual({ ok: true });
  const { updated } = (await state(asking)) as { updated: number };

  const applyAfter = async (days: number): Promise<void> => {
    server.ahead = days * DAY_MS;
    await open(keyPair(100 + (days % 100)));
    await applyWhenRecorded(ANSWERED_SESSION_RETENTION);
    await server.deps.engine.views.waitForPosition(
      'connect_sessions',
      await server.deps.engines.store.head(),
      5_000,
    );
  };
  await applyAfter(364);
  expect(await submit(jobOf(commanding, 0))).toEqual({ ok: true });
  for (let times = 0; times < 2; times += 1)
    expect(await state(asking)).toMatchObject({ state: 'ready', updated });
  expect(await get(`/connect/${keyOf(waiting)}/wait?lastUpdated=0`)).toMatchObject({ state: 'ready' });
  expect((await typesLeft()).filter(type => type === 'ConnectSessionUsed')).toHaveLength(3);

  await applyAfter(366);
  const { documents } = await server.deps.engine.views.find<ConnectSessionDocument>('connect_sessions', {
    limit: 100,
  });
  const known = documents.filter(({ wallet: answeredBy }) => answeredBy).map(({ _id }) => _id);
  expect(known.sort()).toEqual([commanding, asking, waiting].map(keyOf).sort());
  expect(await state(unused)).toEqual({ state: 'not_found' });
  expect(await submit(jobOf(unused, 0))).toMatchObject({ code: 'connect_session_not_found' });
  expect(await post('/connect/revoke', { key: keyOf(unused) })).toEqual({ ok: true });
  expect(await command()).toMatchObject({ state: 'expired' });

  await applyAfter(364 + 366);
  for (const keys of all) expect(await state(keys)).toEqual({ state: 'not_found' });
  await rebuilt(4);
});

it('a session that was revoked stays revoked when all else of it has gone', async () => {
  const keys = keyPair(25);
  const report = wallet.answer(keyOf(keys), { kind: 'tonconnect-v2', endpoint: null });
  expect(await post('/connect/answer', report)).toEqual({ ok: true });
  await post('/connect/revoke', { key: keyOf(keys) });
  expect(await state(keys)).toMatchObject({ state: 'ready', revoked: true });

  for (const days of [366, 800]) {
    server.ahead = days * DAY_MS;
    await open(keyPair(days - 300));
    for (const retention of [CONNECT_SESSION_RETENTION, ANSWERED_SESSION_RETENTION])
      await applyWhenRecorded(retention);
    await server.deps.engine.views.waitForPosition(
      'connect_sessions',
      await server.deps.engines.store.head(),
      5_000,
    );
    expect(await state(keys)).toEqual({ state: 'not_found' });
    expect(await post('/connect/answer', report)).toMatchObject({ code: 'connect_session_invalid' });
    expect(await open(keys)).toMatchObject({ code: 'connect_key_used' });
  }
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
  await rebuilt(2);

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
