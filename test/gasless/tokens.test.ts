import { createHash } from 'node:crypto';
import { type Address, internal, toNano } from '@ton/core';
import express from 'express';
import { pino } from 'pino';
import request from 'supertest';
import { GASLESS_JETTON_CATEGORY } from '../../contracts/events/gasless-jetton';
import { gasless, gaslessSending } from '../../infra/program/features/gasless';
import { gaslessCommand } from '../../infra/program/features/gasless/gasless-command';
import { rates } from '../../infra/program/features/rates';
import { ton } from '../../infra/program/features/ton';
import { watch } from '../../infra/program/features/watch';
import { jettonMaster, jettonWalletAddress, mintBody } from '../../infra/devnet/ton/jetton/jetton';
import { localWallet, transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { readConfig } from '../../infra/program/settings/config';
import { runCommand } from '../command-line';
import { NETWORKS_OFF } from '../local-networks';
import { startTestProgram, type TestProgram } from '../program';
import { until } from '../until';
import { callJson } from './call';
import { coinsOf, ISSUER, jettonsOf, startLocalRelay, USER_JETTONS, type LocalRelay } from './local-relay';
import { wantedMessage } from './relayer';
import { signedAnswer } from './signed-answer';
import { deployUpgradable, upgradableMinter, upgrade } from './upgradable-jetton';

jest.setTimeout(300_000);

let local: LocalRelay;
let program: TestProgram;
let url: string;
/** That the program logs. */
const lines: string[] = [];

/** The key alone: what pays is said while the program runs. */
const settings = (): Record<string, string> => ({
  TON_RPC_URL_TESTNET: local.devnet.url,
  GASLESS_TESTNET_PRIVATE_KEY: createHash('sha256').update('relay').digest('hex'),
});

beforeAll(async () => {
  local = await startLocalRelay();
  program = await startTestProgram({
    features: [watch, ton, rates, gasless, gaslessSending],
    settings: settings(),
    logger: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
  });
  url = await program.listen();
});
afterAll(async () => {
  await program.stop();
  await local.close();
});

/** A command beside the program, with engines of its own. */
async function tidemark<Result>(
  words: readonly string[],
  changed: Record<string, string> = {},
): Promise<Result> {
  const { DATA_DIR } = program.deps.config;
  const config = () =>
    readConfig({ ...NETWORKS_OFF, ...settings(), DATA_DIR, LOG_LEVEL: 'fatal', ...changed });
  return JSON.parse(await runCommand([gaslessCommand], config, ['--json', 'gasless', ...words])) as Result;
}
const tokens = (...words: string[]) => tidemark<Record<string, unknown>>(['tokens', ...words]);
const master = (): string => local.master.toString({ testOnly: true });

interface Quoted {
  readonly ok: boolean;
  readonly error?: string;
  readonly error_code?: number;
  readonly commission: string;
  readonly messages: readonly {
    readonly address: string;
    readonly amount: string;
    readonly payload: string;
    readonly stateInit?: string;
  }[];
}

const call = async <Body>(path: string, body?: unknown): Promise<Body> =>
  (await callJson<Body>(`${url}${path}`, body)).body;

async function paying(): Promise<string[]> {
  const { gas_jettons } = await call<{ gas_jettons: { master_id: string }[] }>('/gasless/testnet/config');
  return gas_jettons.map(({ master_id }) => master_id);
}

let users = 0;
async function newUser(): Promise<LocalWallet> {
  const user = localWallet(`of tokens ${(users += 1)}`, 'v5r1', 'testnet');
  await local.mint(user.contract.address, USER_JETTONS);
  return user;
}
const receiver = (): Address => localWallet(`to of tokens ${users}`, 'v4r2', 'testnet').contract.address;

const dataOf = (user: LocalWallet) => ({
  wallet_address: user.contract.address.toRawString(),
  wallet_public_key: user.keys.publicKey.toString('hex'),
  messages: [
    { boc: wantedMessage(local, { wallet: user, to: receiver(), amount: 1_000n }).toBoc().toString('hex') },
  ],
});
const estimate = (user: LocalWallet): Promise<Quoted> =>
  call('/gasless/testnet/estimate', { data: dataOf(user), master: local.master.toRawString() });

async function signed(user: LocalWallet, { messages }: Quoted) {
  const boc = await signedAnswer(user, messages);
  return { wallet_public_key: user.keys.publicKey.toString('hex'), boc };
}
const send = (posted: object): Promise<Quoted> => call('/gasless/testnet/send', posted);

const relay = (): Promise<bigint> => coinsOf(local, local.relay.contract.address);

it('a relayer without jettons starts, and what is added pays at once, with the code that it has', async () => {
  const user = await newUser();
  expect(await paying()).toEqual([]);
  expect(await estimate(user)).toMatchObject({ ok: false, error: 'try-later' });
  const status = await tidemark<{ relayers: { fault: string }[] }>(['status']);
  expect(status.relayers[0]!.fault).toContain('no jetton is listed');

  const added = await tokens('add', master(), '--per-ton', '3');
  const code = { master: expect.stringMatching(/^[0-9a-f]{64}$/), wallet: expect.any(String) };
  expect(added).toEqual({
    network: 'testnet',
    realm: 'live',
    master: master(),
    changed: true,
    decimals: 6,
    perTon: '3',
    paused: false,
    code,
  });
  expect(await paying()).toEqual([local.master.toRawString()]);
  expect(await estimate(user)).toMatchObject({ ok: true });
  const listed = { network: 'testnet', realm: 'live', master: master(), decimals: 6, perTon: '3' };
  const shown = { source: 'operator', paused: false, recorded: true, ageSeconds: null };
  expect(await tokens()).toEqual({
    tokens: [{ ...listed, ...shown, code: 'as_listed', chainDecimals: null }],
  });
  expect(await tidemark(['status'])).toMatchObject({ relayers: [{ fault: null, quotes: 1 }] });
});

it('what was quoted before a pause is refused, and nothing is spent; what was accepted before goes on', async () => {
  const [user, other] = [await newUser(), await newUser()];
  const to = receiver();
  const [posted, late] = [
    await signed(user, await estimate(user)),
    await signed(other, await estimate(other)),
  ];
  expect(await send(posted)).toMatchObject({ ok: true });
  expect(await tokens('pause', master())).toMatchObject({ changed: true, paused: true });
  expect(await tokens('pause', master())).toMatchObject({ changed: false, paused: true });

  await until(async () => (await jettonsOf(local, to)) === 1_000n);
  await program.projected();
  const before = [await relay(), await jettonsOf(local, other.contract.address)];
  expect(await paying()).toEqual([]);
  expect(await estimate(other)).toEqual({ ok: false, error: 'try-later' });
  const path = `/v2/gasless/estimate/${local.master.toRawString()}?network=testnet`;
  expect(await call<Quoted>(path, dataOf(other))).toMatchObject({ error_code: 40_000 });
  expect(await send(late)).toEqual({ ok: false, error: 'try-later' });
  expect(await call<Quoted>('/v2/gasless/send?network=testnet', late)).toMatchObject({ error_code: 40_000 });
  // It was accepted, and is accepted again: that spends nothing.
  expect(await send(posted)).toMatchObject({ ok: true });
  expect([await relay(), await jettonsOf(local, other.contract.address)]).toEqual(before);

  expect(await tokens('resume', master())).toMatchObject({ changed: true, paused: false });
  expect(await send(late)).toMatchObject({ ok: true });
  await until(async () => (await jettonsOf(local, other.contract.address)) < before[1]!);
});

it('the next quote has the price that was said', async () => {
  const user = await newUser();
  const commission = async () => BigInt((await estimate(user)).commission);
  const dear = await commission();
  expect(await tokens('price', master(), '0.3')).toMatchObject({ changed: true, perTon: '0.3' });
  const cheap = await commission();
  expect(cheap * 9n).toBeLessThan(dear);
  expect(cheap * 11n).toBeGreaterThan(dear);
  // Nobody knows a price.
  expect(await tokens('price', master(), '--by-prices')).toMatchObject({ changed: true, perTon: null });
  expect(await estimate(user)).toEqual({ ok: false, error: 'try-later' });
  expect(await tokens('price', master(), '3')).toMatchObject({ changed: true });
});

it('what is no jetton, is listed twice or not at all, or contradicts the chain is refused', async () => {
  const wallet = local.user.contract.address.toString({ testOnly: true });
  await expect(tokens('add', wallet)).rejects.toThrow('There is no jetton master at this address.');
  await expect(tokens('add', master())).rejects.toThrow('This jetton is listed already.');
  await expect(tokens('pause', wallet)).rejects.toThrow('No such jetton is listed.');
  await expect(tokens('add', master(), '--decimals', '9')).rejects.toThrow('it has 6 decimals');
  await expect(tokens('add', master(), '--decimals', '19')).rejects.toThrow('decimals: must be 0 to 18');
  await expect(tokens('price', master())).rejects.toThrow('give either an amount or --by-prices');
  await expect(tokens('price', master(), '1', '--by-prices')).rejects.toThrow('give either an amount');
  await expect(tokens('price', master(), '0')).rejects.toThrow('per-ton: must be a positive decimal');
  await expect(tokens('pause', 'nowhere')).rejects.toThrow('master: must be a TON address');
  await expect(tokens('pause', local.master.toString())).rejects.toThrow('no relayer of its own on mainnet');
  const nobody = { TON_RPC_URL_TESTNET: 'http://127.0.0.1:9' };
  await expect(tidemark(['tokens', 'add', wallet], nobody)).rejects.toThrow('No node of testnet answers');
  expect(await tidemark(['tokens'], nobody)).toMatchObject({ tokens: [{ code: 'unknown' }] });
});

it('nodes of another network say nothing of a jetton', async () => {
  const another = {
    TON_ZEROSTATE_TESTNET: `${Buffer.alloc(32, 1).toString('base64')}:${Buffer.alloc(32, 2).toString('base64')}`,
  };
  const wallet = local.user.contract.address.toString({ testOnly: true });
  await expect(tidemark(['tokens', 'add', wallet], another)).rejects.toThrow(
    'The nodes of testnet serve another network.',
  );
  expect(await tidemark(['tokens'], another)).toMatchObject({ tokens: [{ code: 'wrong_network' }] });
});

it('a jetton that does not say its decimals is added with those that are given', async () => {
  const silent = jettonMaster(ISSUER.contract.address, { name: 'Silent', symbol: 'S' } as never);
  const body = mintBody({ to: receiver(), amount: 1n, value: toNano('0.1') });
  const { address, init } = silent;
  await transfer(local.api, ISSUER, [internal({ to: address, value: toNano('0.2'), init, body })]);
  const text = address.toString({ testOnly: true });
  await expect(tokens('add', text)).rejects.toThrow('does not say its decimals: give --decimals');
  expect(await tokens('add', text, '--decimals', '4')).toMatchObject({ decimals: 4, perTon: null });
  expect(await paying()).toEqual([local.master, address].map(each => each.toRawString()));
  expect(await tokens('remove', text)).toMatchObject({ changed: true });
  expect(await paying()).toEqual([local.master.toRawString()]);
});

it('an upgraded master is named by the log, once, by commands, by the check and by the metric', async () => {
  const upgradable = await deployUpgradable(local);
  const text = upgradable.toString({ testOnly: true });
  await tokens('add', text, '--per-ton', '3');
  const { wallet_address, wallet_public_key } = dataOf(local.user);
  const jettonWallet = jettonWalletAddress(upgradable, local.user.contract.address);
  const boc = wantedMessage(local, { to: receiver(), amount: 1_000n, jettonWallet }).toBoc().toString('hex');
  const ask = (): Promise<Quoted> =>
    call('/gasless/testnet/estimate', {
      data: { wallet_address, wallet_public_key, messages: [{ boc }] },
      master: upgradable.toRawString(),
    });
  expect(await ask()).toMatchObject({ ok: true });
  await upgrade(local, upgradable, await upgradableMinter(2));
  for (let times = 0; times < 2; times++) expect(await ask()).toEqual({ ok: false, error: 'try-later' });

  const warned = lines.filter(line => line.includes('other code than when it was listed'));
  expect(warned.map(line => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ network: 'testnet', master: upgradable.toRawString(), of: 'master' }),
  ]);
  expect(await tokens()).toMatchObject({ tokens: [{ code: 'as_listed' }, { code: 'master_changed' }] });
  const { relayers } = await tidemark<{ relayers: { fault: string }[] }>(['status']);
  expect(relayers[0]!.fault).toContain('a jetton has other code');
  const operators = express().use(
    (_request, { locals }, next) => {
      locals['requestId'] = 'test';
      next();
    },
    ...program.operatorsPages,
  );
  const { body } = (await request(operators).get('/health/ready')) as {
    body: { checks: Record<string, string> };
  };
  expect(body.checks['gasless_jettons_testnet']).toContain(`${text} (other code: that of the master)`);
  expect((await request(operators).get('/metrics')).text).toContain(
    'tidemark_gasless_jettons_with_other_code{network="testnet"} 1\n',
  );

  // Who agrees to the new code lists it again.
  await tokens('remove', text);
  await tokens('add', text, '--per-ton', '3');
  expect(await ask()).toMatchObject({ ok: true });
  await tokens('remove', text);
});

it('who said it is in the audit trail, with what was refused', async () => {
  const { store } = program.deps.engines;
  const found: [unknown, unknown, unknown][] = [];
  for await (const page of store.readAll({ categories: ['audit'] }))
    for (const { data } of page)
      if (String(data['action']).startsWith('gasless tokens'))
        found.push([data['action'], data['outcome'], data['code']]);
  expect(found.slice(0, 3)).toEqual([
    ['gasless tokens add', 'ok', null],
    ['gasless tokens pause', 'ok', null],
    ['gasless tokens pause', 'ok', null],
  ]);
  expect(found).toContainEqual(['gasless tokens add', 'refused', 'gasless_jetton_listed']);
  expect(found).toContainEqual(['gasless tokens add', 'refused', 'gasless_jetton_unknown']);
  const by = new Set<unknown>();
  for await (const page of store.readAll({ categories: [GASLESS_JETTON_CATEGORY] }))
    for (const { data } of page) by.add(data['by']);
  expect([...by]).toEqual([expect.stringMatching(/^cli:/)]);
});
