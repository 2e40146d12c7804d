import { type Address, Cell, internal, toNano } from '@ton/core';
import { loadConfigParamsAsSlice, parseFullConfig, type TonClient4 } from '@ton/ton';
import request from 'supertest';
import { ROUND } from '../../infra/devnet/ton/elections/schedule';
import { jettonTransferBody } from '../../infra/devnet/ton/jetton/jetton';
import {
  liquidCollectBody,
  liquidDepositBody,
  liquidWalletAddress,
  liquidWithdrawBody,
  ROUNDS_TO_WAIT,
} from '../../infra/devnet/ton/staking/liquid/liquid';
import {
  LiquidPool,
  type LiquidPoolStatus,
  LiquidWallet,
} from '../../infra/devnet/ton/staking/liquid/liquid-contracts';
import { readLiquidPool } from '../../infra/devnet/ton/staking/liquid/liquid-state';
import { localLiquidPool } from '../../infra/devnet/ton/staking/liquid/local-liquid-pool';
import { localWallet, transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { elections } from '../../infra/program/features/elections';
import { staking } from '../../infra/program/features/staking';
import { openReplacedServer, type ReplacedServer } from '../doubles/replaced-server';
import type { LocalNetwork } from '../ton/network';
import { friendly, rawOf, startTestnet } from '../ton/testnet';
import { until } from '../until';

const { address: POOL } = localLiquidPool('testnet');
/** Where the wallet app looks for the pool of the testnet. */
const KNOWN = 'kQCSJnVYculwsyLUx_VT3qbIeYUs-nwfPsXjfo9VLYlIQuiD';
const STAKE = toNano(1_000);
const FEES = toNano('0.2');

let network: LocalNetwork;
let node: ReplacedServer;
let client: TonClient4;
let alice: LocalWallet;
let bob: LocalWallet;
let aheadMs = 0;

interface PoolInfo {
  readonly rateDeposit: string;
  readonly rateWithdraw: string;
  readonly roundId: number;
  readonly extras: Readonly<Record<string, string | number | boolean>>;
  readonly balances: Readonly<Record<string, string>>;
  readonly seqno: number;
  readonly at: string;
}
interface MemberInfo {
  readonly balance: string;
  readonly owner: string;
  readonly master: string;
  readonly code: string;
  readonly pendingWithdrawals: Readonly<Record<string, string>>;
  readonly seqno: number;
  readonly at: string;
}

const POOL_PATH = '/staking/testnet/pool/liquid/info';
const MEMBER_PATH = '/staking/member/liquid/info';
const poolInfo = async (): Promise<PoolInfo> =>
  (await request(network.app).get(POOL_PATH).expect(200)).body as PoolInfo;
const askMember = (address: string, from = '203.0.113.7'): request.Test =>
  request(network.app).post(MEMBER_PATH).set('X-Forwarded-For', from).send({ isTestnet: true, address });
const memberInfo = async (owner: Address): Promise<MemberInfo | null> =>
  (await askMember(friendly(owner)).expect(200)).body as MemberInfo | null;
const ofAlice = (): Promise<MemberInfo | null> => memberInfo(alice.contract.address);

const pool = () => client.open(new LiquidPool(POOL));
const walletOf = ({ contract: { address: owner } }: LocalWallet) =>
  client.open(new LiquidWallet(liquidWalletAddress({ pool: POOL, owner })));

/** By the get methods of the pool, and its data. */
async function chainPool(): Promise<Omit<PoolInfo, 'seqno' | 'at'>> {
  const status = await pool().getPoolStatus();
  const { last } = await client.getLastBlock();
  const { state } = (await client.getAccount(last.seqno, POOL)).account;
  if (state.type !== 'active') throw new Error(state.type);
  const { stakeOf } = readLiquidPool(Cell.fromBase64(state.data!));
  const [zero, one] = [stakeOf(0).until, stakeOf(1).until];
  return {
    rateDeposit: String(status.rateDeposit),
    rateWithdraw: String(status.rateWithdraw),
    roundId: status.roundId,
    extras: {
      minStake: String(status.minStake),
      depositFee: String(status.depositFee),
      withdrawFee: String(status.withdrawFee),
      receiptPrice: String(status.receiptPrice),
      address: KNOWN,
      enabled: status.enabled,
      upgradable: status.upgradable,
      poolFee: Number(status.poolFee),
      roundEnd: await roundEnd(),
      proxyZeroStakeUntil: zero,
      proxyOneStakeUntil: one,
      proxyStakeUntil: Math.min(zero, one),
    },
    balances: {
      minterSupply: String(status.supply),
      totalBalance: String(status.balance),
      totalSent: String(status.sent),
      totalPendingWithdraw: String(status.pendingWithdraw),
      totalBalanceWithdraw: String(status.withdraw),
    },
  };
}

/** When the next election opens. */
async function roundEnd(): Promise<number> {
  const { last, now } = await client.getLastBlock();
  const { cell } = (await client.getConfig(last.seqno)).config;
  const { validators, validatorSets } = parseFullConfig(loadConfigParamsAsSlice(cell));
  const { validatorsElectedFor, electorsStartBefore } = validators;
  const opens = validatorSets.currentValidators!.timeSince + validatorsElectedFor - electorsStartBefore;
  return opens > now ? opens : opens + validatorsElectedFor;
}

/** By the get methods of the wallet. */
async function chainMember(of: LocalWallet): Promise<Omit<MemberInfo, 'seqno' | 'at'>> {
  const { balance, owner, pool: master, code } = await walletOf(of).getWalletData();
  const pending = await walletOf(of).getPendingWithdrawals();
  return {
    balance: String(balance),
    owner: friendly(owner),
    master: friendly(master),
    code: code.toBoc().toString('base64'),
    pendingWithdrawals: Object.fromEntries([...pending].map(([round, coins]) => [round, String(coins)])),
  };
}

/** Asks until the answer is what the pool itself says: what is stale is served, and refreshed behind. */
const agreedPool = (): Promise<PoolInfo> =>
  until(async () => {
    aheadMs += 60_000;
    const [expected, info] = [await chainPool(), await poolInfo()];
    expect(info).toMatchObject(expected);
    return info;
  });

/** Resolves once the indexer has a message to the account from there. */
const received = (of: LocalWallet, from: Address): Promise<boolean> =>
  until(async () => {
    const { transactions } = await network.transactions.page('testnet', rawOf(of), { limit: 20 });
    return transactions.some(({ decoded }) => {
      const info = decoded().inMessage?.info;
      return info?.type === 'internal' && info.src === from.toRawString();
    });
  });

const send = (value: bigint, body: Cell, from = alice, to = POOL) =>
  transfer(client, from, [internal({ to, value, body })]);
const passRounds = (rounds: number): Promise<unknown> =>
  network.devnet.advanceTime(rounds * ROUND.electedFor);
/** Until nothing is due any more. */
const isStaked = (roundId: number): Promise<LiquidPoolStatus> =>
  until(
    () => pool().getPoolStatus(),
    each => each.roundId === roundId && each.sent > 0n && each.sent === each.balance,
  );

beforeAll(async () => {
  ({ network, client, alice, bob } = await startTestnet({
    watched: true,
    features: [elections, staking],
    settings: { TRUSTED_PROXIES: '1', RATE_LIMIT_CONTRACT_READS: '100' },
    clock: () => new Date(Date.now() + aheadMs),
    nodeOf: async url => (node = await openReplacedServer(url)).url,
  }));
  await network.devnet.faucet(rawOf(alice), toNano(5_000));
});
afterEach(() => {
  node.answer = null;
});
afterAll(async () => {
  await network.close();
  await node.close();
});

it('the pool is where the wallet app looks for it, and a wsTON is worth a TON at first', async () => {
  const info = await agreedPool();
  expect(friendly(POOL)).toBe(KNOWN);
  expect(info).toMatchObject({ rateDeposit: '1000000000', rateWithdraw: '1000000000', roundId: 0 });
  expect(info.extras['proxyStakeUntil']).toBe(0);
  const { body } = await request(network.app).get('/staking/sandbox/pool/liquid/info').expect(200);
  expect((body as PoolInfo).extras).toMatchObject({ address: KNOWN });
  expect(info.seqno).toBeGreaterThan(0);
});

it('who never had wsTON is no member', async () => {
  expect(await ofAlice()).toBeNull();
  expect(await memberInfo(localWallet('nobody', 'v5r1', 'testnet').contract.address)).toBeNull();
});

it('a deposit is served once the account knows of it, with the code and the addresses of its wallet', async () => {
  await send(STAKE + FEES, liquidDepositBody({ amount: STAKE, response: alice.contract.address }));
  await received(alice, walletOf(alice).address);
  const first = await ofAlice();
  expect(first).toMatchObject({ ...(await chainMember(alice)), balance: String(STAKE) });
  expect(first!.pendingWithdrawals).toEqual({});
});

it('after rounds with rewards a wsTON is worth more, in both directions', async () => {
  await until(
    () => pool().getPoolStatus(),
    each => each.sent > 0n && each.roundId === 1,
  );
  const { extras } = await agreedPool();
  expect(extras['proxyOneStakeUntil']).toBeGreaterThan(0);
  for (const roundId of [2, 3]) {
    await passRounds(1);
    await isStaked(roundId);
  }
  const { rateDeposit, rateWithdraw, balances, roundId } = await agreedPool();
  expect(roundId).toBe(3);
  const [supply, balance] = [BigInt(balances['minterSupply']!), BigInt(balances['totalBalance']!)];
  expect(BigInt(rateDeposit)).toBe((toNano(1) * supply) / balance);
  expect(BigInt(rateWithdraw)).toBe((toNano(1) * balance) / supply);
  expect(BigInt(rateDeposit)).toBeLessThan(toNano(1));
  expect(BigInt(rateWithdraw)).toBeGreaterThan(toNano(1));
});

it('the end of the round is never in the past', async () => {
  for (let quarter = 0; quarter < 4; quarter++) {
    await network.devnet.advanceTime(ROUND.electedFor / 4);
    const { extras } = await agreedPool();
    const { now } = await client.getLastBlock();
    expect(extras['roundEnd']).toBeGreaterThan(now);
    expect(extras['roundEnd']).toBeLessThanOrEqual(now + ROUND.electedFor);
  }
});

it('what is withdrawn is owed by its round, in TON, until it is collected', async () => {
  // A round has passed since the third one was staked.
  const { roundId } = await isStaked(4);
  const worth = await pool().getTonBalance(toNano(100));
  await send(FEES, liquidWithdrawBody({ jettons: toNano(100), response: alice.contract.address }));
  const withdrawn = await until(
    () => ofAlice(),
    info => Object.keys(info!.pendingWithdrawals).length > 0,
  );
  expect(withdrawn).toMatchObject({
    ...(await chainMember(alice)),
    balance: String(STAKE - toNano(100)),
    pendingWithdrawals: { [roundId]: String(worth) },
  });
  expect((await agreedPool()).balances['totalPendingWithdraw']).toBe(String(worth));
  for (let passed = 1; passed <= ROUNDS_TO_WAIT; passed++) {
    await passRounds(1);
    await isStaked(roundId + passed);
  }
  expect((await agreedPool()).balances).toMatchObject({
    totalPendingWithdraw: '0',
    totalBalanceWithdraw: String(worth),
  });
  await send(FEES, liquidCollectBody({ response: alice.contract.address }));
  await received(alice, POOL);
  const collected = await ofAlice();
  expect(collected!.pendingWithdrawals).toEqual({});
  expect(collected).toMatchObject(await chainMember(alice));
  expect((await agreedPool()).balances['totalBalanceWithdraw']).toBe('0');
});

it('wsTON that are received make a member', async () => {
  const to = bob.contract.address;
  expect(await memberInfo(to)).toBeNull();
  const body = jettonTransferBody({ to, amount: toNano(40), response: to, forwardValue: 1n });
  await send(FEES, body, alice, liquidWalletAddress({ pool: POOL, owner: alice.contract.address }));
  await received(bob, walletOf(bob).address);
  expect(await memberInfo(to)).toMatchObject({ ...(await chainMember(bob)), balance: String(toNano(40)) });
  await until(async () => {
    aheadMs += 60_000;
    expect(await ofAlice()).toMatchObject(await chainMember(alice));
    return true;
  });
});

describe('while the contracts say what none can', () => {
  const int = (value: string) => ({ type: 'int', value });
  /** As many as `get_pool_status` has. */
  const fifteen = (item: object) => Array.from({ length: 15 }, () => item);

  it.each([
    ['huge integers', fifteen(int(String(2n ** 255n)))],
    ['negative integers', fifteen(int('-7'))],
    ['tuples', fifteen({ type: 'tuple', items: [int('1')] })],
    ['nulls', fifteen({ type: 'null' })],
    ['nothing', []],
    ['that its gas is used up', null],
  ])('what they said last is served, with its age: %s', async (_what, stack) => {
    const asked: string[] = [];
    node.answer = ({ url }, response) => {
      const [, method] = /\/run\/(get_pool_status|get_wallet_data|get_pending_withdrawals)/.exec(url!) ?? [];
      if (!method) return false;
      asked.push(method);
      const answer = { exitCode: stack === null ? -14 : 0, result: stack ?? [], resultRaw: null };
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ ...answer, block: {}, shardBlock: {} }));
      return true;
    };
    const served = async () => {
      const [{ extras, ...info }, member] = await Promise.all([poolInfo(), ofAlice()]);
      // It follows from the clock.
      return { info: { ...info, extras: { ...extras, roundEnd: null } }, member };
    };
    const askInVain = async (): Promise<void> => {
      // What was read as of a block is not read again.
      await network.devnet.simulation.produceBlock();
      asked.length = 0;
      await until(async () => {
        aheadMs += 60_000;
        await served();
        return ['get_pool_status', 'get_wallet_data'].every(method => asked.includes(method));
      });
    };
    await askInVain();
    // From now on nothing that was read before is on its way.
    const last = await served();
    expect(last.member).toMatchObject(await chainMember(alice));
    expect(last.info.balances).toEqual((await chainPool()).balances);
    await askInVain();
    expect(await served()).toEqual(last);
  });
});

it('a stranger who makes up addresses is refused, and a member is not', async () => {
  const STRANGER = '198.51.100.1';
  const statuses: number[] = [];
  for (let i = 0; i < 115; i++) {
    const { status } = await askMember(`0:${String(i).padStart(64, 'a')}`, STRANGER);
    statuses.push(status);
  }
  expect(statuses.filter(status => status === 429).length).toBeGreaterThanOrEqual(10);
  // On a busy machine a contract may not be read in time: 503, and never anything else.
  expect(statuses.filter(status => ![200, 429, 503].includes(status))).toEqual([]);
  expect((await until(ofAlice))!.balance).toBe((await chainMember(alice)).balance);
  const newcomer = localWallet('newcomer', 'v5r1', 'testnet').contract.address;
  expect(await until(async () => ({ member: await memberInfo(newcomer) }))).toEqual({ member: null });
});

it.each([
  ['get', '/staking/devnet/pool/liquid/info', undefined, '/path/network'],
  ['post', MEMBER_PATH, {}, '/body/address'],
  ['post', MEMBER_PATH, { address: 'alice' }, '/body/address'],
  ['post', MEMBER_PATH, { address: KNOWN, isTestnet: 'yes' }, '/body/isTestnet'],
  ['post', MEMBER_PATH, { address: KNOWN, isTestnet: false }, '/body/isTestnet'],
] as const)('refuses %s %s with %j, and names the field', async (method, path, sent, pointer) => {
  const { status, body } = (await request(network.app)[method](path).send(sent)) as {
    status: number;
    body: { errors: { pointer: string }[] };
  };
  expect([status, body.errors[0]!.pointer]).toEqual([400, pointer]);
});
