import { internal } from '@ton/core';
import { JettonMaster, JettonWallet, type TonClient4 } from '@ton/ton';
import request from 'supertest';
import type { TonDevnet } from '../../infra/devnet/ton/devnet';
import { jettonWalletAddress } from '../../infra/devnet/ton/jetton/jetton';
import { type Actor, createActors } from '../../infra/devnet/ton/traffic/actors';
import { localUsde } from '../../infra/devnet/ton/usde/local-usde';
import {
  LOCK_PERIOD,
  USDE_VALUE,
  claimBody,
  stakeBody,
  stakedWalletAddress,
  unstakeBody,
} from '../../infra/devnet/ton/usde/usde';
import { StakedUsdeWallet, UsdeVault } from '../../infra/devnet/ton/usde/usde-contracts';
import { localWallet, transfer } from '../../infra/devnet/ton/wallets';
import { dailySharePriceObservation } from '../../indexers/ton/observations/usde-price';
import { createTonClient } from '../../infra/engines/ton-client/ton-client';
import { ton as tonFeature } from '../../infra/program/features/ton';
import { tonContracts } from '../../infra/program/features/ton-contracts';
import { usde } from '../../infra/program/features/usde';
import { clientOf, quietDevnet, silent } from '../devnet/ton';
import { openReplacedServer, type ReplacedServer } from '../doubles/replaced-server';
import { startTestProgram, type TestProgram } from '../program';
import { until } from '../until';
import { friendly } from './testnet';

const DAY = 86_400;
const WEEK = 7 * DAY;
const { vault, stakedUsde, usde: usdeMaster } = localUsde('testnet');
const [issuer, alice] = createActors('testnet') as [Actor, Actor];
const stop = new AbortController();
let devnet: TonDevnet;
let client: TonClient4;
/** In front of the local network, to answer what its contracts do not. */
let node: ReplacedServer;
let program: TestProgram;
/** Of the clock by which observations are stale. */
let aheadMs = 0;

interface Price {
  readonly usdeRate: number;
  readonly seqno: number;
  readonly time: string;
}
interface Apy {
  readonly apy: string;
  readonly from: Price;
  readonly to: Price;
}
interface Member {
  readonly balance: string;
  readonly owner: string;
  readonly minter: string;
  readonly timeLocked: { readonly balance: string; readonly limit: string } | null;
}

async function get<T>(path: string): Promise<T> {
  aheadMs += 60_000;
  return (await request(program.app).get(path).expect(200)).body as T;
}

async function member(address = friendly(alice.contract.address)): Promise<Member | null> {
  aheadMs += 60_000;
  const body = { isTestnet: true, address };
  return (await request(program.app).post('/usde/staking/member/liquid/info').send(body).expect(200))
    .body as Member | null;
}

/** By the get methods of the wallet of shares. */
async function chainMember(): Promise<Member> {
  const address = stakedWalletAddress(stakedUsde, alice.contract.address);
  const balance = await client.open(JettonWallet.create(address)).getBalance();
  const { locked, unlockAt } = await client.open(new StakedUsdeWallet(address)).getTimelock();
  return {
    balance: String(balance),
    owner: friendly(alice.contract.address),
    minter: friendly(stakedUsde),
    timeLocked: locked === 0n ? null : { balance: String(locked), limit: String(unlockAt) },
  };
}

/** Resolves once the answer is what the chain has, and the chain differs from before. */
async function untilServed(before: Member | null): Promise<Member> {
  await until(chainMember, now => JSON.stringify(now) !== JSON.stringify(before));
  const expected = await chainMember();
  await until(member, served => served?.balance === expected.balance);
  const found = await until(
    () => member(),
    served => JSON.stringify(served?.timeLocked) === JSON.stringify(expected.timeLocked),
  );
  expect(found).toEqual({ ...expected, at: expect.any(String) });
  return expected;
}

const usdeWallet = (owner: Actor) => jettonWalletAddress(usdeMaster, owner.contract.address);
const send = (from: Actor, to: ReturnType<typeof usdeWallet>, body: ReturnType<typeof stakeBody>) =>
  transfer(client, from, [internal({ to, value: USDE_VALUE, body })]);
const stake = (from: Actor, amount: bigint) =>
  send(from, usdeWallet(from), stakeBody({ to: vault, amount, response: from.contract.address }));

beforeAll(async () => {
  devnet = await quietDevnet();
  client = clientOf(devnet.url);
  for (const { contract } of [issuer, alice]) await devnet.faucet(contract.address.toString(), 10n ** 10n);
  node = await openReplacedServer(devnet.url);
  const ton = createTonClient({
    urls: [node.url],
    logger: silent,
    backoffMs: 1,
    attempts: 1,
    signal: stop.signal,
  });
  program = await startTestProgram({
    features: [usde],
    beside: [tonContracts, tonFeature],
    settings: { TON_RPC_URL_TESTNET: node.url },
    clock: () => new Date(Date.now() + aheadMs),
    clients: { ton: () => ton },
  });
});
afterAll(async () => {
  await program.stop();
  stop.abort();
  await node.close();
  await devnet.close();
});

it('the rate is what the vault says that a share is worth', async () => {
  expect(await get('/usde/testnet/rate')).toMatchObject({ usdeRate: 1.0523 });
  expect(await get('/usde/sandbox/rate')).toMatchObject({ usdeRate: 1.0523 });
});

it('there is no yield before prices are a day apart, and one after a day of the chain', async () => {
  const { headers, body } = await request(program.app).get('/usde/testnet/apy').expect(503);
  expect(body).toMatchObject({ code: 'not_ready' });
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(3_600);
  const today = Math.floor((await client.getLastBlock()).now / DAY);
  const prices = program.deps.observed(dailySharePriceObservation);
  // Midnight may have passed since.
  const days = [today - 1, today].map(day => ({ network: 'testnet' as const, day }));
  await until(async () => (await prices.findMany(days)).some(Boolean));
  await devnet.advanceTime(DAY);
  const { apy, from, to } = await until(() => get<Apy>('/usde/testnet/apy'));
  expect(apy).toBe('0.0000');
  expect([from.usdeRate, to.usdeRate]).toEqual([1.0523, 1.0523]);
  expect(Date.parse(to.time) - Date.parse(from.time)).toBeGreaterThanOrEqual(DAY * 1_000);
});

it('a member stakes, unstakes and claims, and is served as its wallet says at every step', async () => {
  expect(await member()).toBeNull();
  const owner = alice.contract.address;
  const wallet = stakedWalletAddress(stakedUsde, owner);
  const master = client.open(JettonMaster.create(stakedUsde));
  expect((await master.getWalletAddress(owner)).equals(wallet)).toBe(true);
  await stake(alice, 100_000_000n);
  await until(
    () => member(),
    served => served !== null,
  );
  const staked = await untilServed(null);
  expect(staked).toMatchObject({ balance: '95029934', timeLocked: null });

  const shares = BigInt(staked.balance);
  await send(alice, wallet, unstakeBody({ to: stakedUsde, amount: shares, response: owner }));
  const locked = await untilServed(staked);
  expect(locked).toMatchObject({ balance: '0', timeLocked: { balance: '99999999' } });

  await devnet.advanceTime(LOCK_PERIOD);
  const before = await client.open(JettonWallet.create(usdeWallet(alice))).getBalance();
  await send(alice, wallet, claimBody({ to: stakedUsde, amount: 99_999_999n, response: owner }));
  await until(
    () => client.open(JettonWallet.create(usdeWallet(alice))).getBalance(),
    now => now === before + 99_999_999n,
  );
  expect(await untilServed(locked)).toMatchObject({ balance: '0', timeLocked: null });
});

it('the yield follows from two prices that are named, a week apart', async () => {
  const early = await until(
    () => get<Apy>('/usde/testnet/apy'),
    ({ to }) => to.usdeRate === 1.0523,
  );
  await stake(issuer, 1_000_000_000n);
  await devnet.advanceTime(WEEK);
  const { apy, from, to } = await until(
    () => get<Apy>('/usde/testnet/apy'),
    ({ to }) => to.usdeRate > early.to.usdeRate,
  );
  const price = await client.open(new UsdeVault(vault)).getConvertToAssets(1_000_000_000n);
  expect(to.usdeRate).toBe(Number(price) / 1e9);
  expect(from.usdeRate).toBe(1.0523);
  const seconds = (Date.parse(to.time) - Date.parse(from.time)) / 1_000;
  expect(seconds).toBeGreaterThanOrEqual(86_400);
  const expected = ((to.usdeRate / from.usdeRate) ** (31_536_000 / seconds) - 1) * 100;
  expect(Number(apy)).toBeCloseTo(expected, 3);
});

describe('while the contracts say what none can', () => {
  const int = (value: string) => ({ type: 'int', value });
  afterEach(() => {
    node.answer = null;
  });

  it.each([
    ['a price of 0', [int('0')]],
    ['a negative price', [int('-1')]],
    ['a price beyond any', [int(String(2n ** 255n))]],
    ['a tuple', [{ type: 'tuple', items: [int('1')] }]],
    ['null', [{ type: 'null' }]],
    ['nothing', []],
    ['that its gas is used up', null],
  ])('the last price and the last balance are served: %s', async (_what, stack) => {
    const before = await get<Price>('/usde/testnet/rate');
    const known = await member();
    const asked = new Set<string>();
    node.answer = ({ url }, response) => {
      const [, method] = /\/run\/(convertToAssets|get_wallet_data|get_timelock_data)/.exec(url!) ?? [];
      if (!method) return false;
      asked.add(method);
      const answer = { exitCode: stack === null ? -14 : 0, result: stack ?? [], resultRaw: null };
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ ...answer, block: {}, shardBlock: {} }));
      return true;
    };
    // What was read as of a block is not read again.
    await devnet.simulation.produceBlock();
    await until(
      async () => {
        await get('/usde/testnet/rate');
        await member();
        return asked;
      },
      methods => methods.has('convertToAssets') && methods.has('get_wallet_data'),
    );
    const after = await get<Price>('/usde/testnet/rate');
    expect(after).toEqual({
      usdeRate: before.usdeRate,
      seqno: expect.any(Number),
      time: expect.any(String),
    });
    expect(await member()).toMatchObject({ balance: known!.balance, owner: known!.owner });
    expect(await member(friendly(localWallet('stranger', 'v5r1', 'testnet').contract.address))).toBeNull();
    await get('/usde/testnet/apy');
  });
});

it.each([
  ['get', '/usde/devnet/rate', undefined, '/path/network'],
  ['get', '/usde/devnet/apy', undefined, '/path/network'],
  ['post', '/usde/staking/member/liquid/info', {}, '/body/address'],
  ['post', '/usde/staking/member/liquid/info', { address: 'nobody' }, '/body/address'],
  ['post', '/usde/staking/member/liquid/info', { address: 7, isTestnet: true }, '/body/address'],
  [
    'post',
    '/usde/staking/member/liquid/info',
    { address: friendly(vault), isTestnet: 'yes' },
    '/body/isTestnet',
  ],
  [
    'post',
    '/usde/staking/member/liquid/info',
    { address: friendly(vault), isTestnet: false },
    '/body/isTestnet',
  ],
] as const)('refuses %s %s with %j, and names the field', async (method, path, sent, pointer) => {
  const { status, body } = (await request(program.app)[method](path).send(sent)) as {
    status: number;
    body: { errors: { pointer: string }[] };
  };
  expect([status, body.errors[0]!.pointer]).toEqual([400, pointer]);
});
