import { Address, Cell, comment, internal, SendMode, toNano } from '@ton/core';
import { ElectorContract, type TonClient4, type WalletContractV4 } from '@ton/ton';
import request from 'supertest';
import {
  encodeTonMessage,
  TON_MESSAGE_VERSION,
  TON_TRANSACTIONS,
  tonMessageKey,
  type TonLogMessage,
} from '../../contracts/chain/ton';
import { stakingPoolApy, type ApyOfRound, type NominatorAnswer } from '../../contracts/http/staking/indexer';
import { NOMINATOR_POOLS } from '../../contracts/chain/ton-verified-contracts';
import { readStoredPool } from '../../indexers/ton/nominator-pool';
import type { Observation } from '../../contracts/observation/observation';
import { nominatorObservation, nominatorRoundObservation } from '../../indexers/ton/observations/nominators';
import { poolRoundObservation } from '../../indexers/ton/observations/staking-rounds';
import { NominatorPool } from '../../infra/devnet/ton/staking/pool-contract';
import { depositBody, donationBody, withdrawBody } from '../../infra/devnet/ton/staking/staking';
import { transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { elections } from '../../infra/program/features/elections';
import { staking } from '../../infra/program/features/staking';
import { poolApy } from '../../services/staking/rounds/round-apy';
import type { LocalNetwork } from '../ton/network';
import { friendly, rawOf, startTestnet } from '../ton/testnet';
import { until } from '../until';

const POOLS = NOMINATOR_POOLS.testnet.map(raw => Address.parseRaw(raw));
const [POOL, OTHER_POOL] = POOLS as [Address, Address];
const FEES = toNano('0.2');
const STAKE = toNano(1_000);

let network: LocalNetwork;
let client: TonClient4;
let alice: LocalWallet;
let bob: LocalWallet;
let aheadMs = 0;

const pool = () => client.open(new NominatorPool(POOL));
const send = (from: LocalWallet, value: bigint, body: Parameters<typeof internal>[0]['body']) =>
  transfer(client, from, [internal({ to: POOL, value, body })]);
const askApy = (body: object): request.Test =>
  request(network.app).post('/staking-indexer/indexer/pool/apy').send(body);
const ask = (body: object): request.Test =>
  request(network.app).post('/staking-indexer/indexer/nominator').send(body);

const apy = async (fixedPeriod?: string): Promise<ApyOfRound[]> =>
  (await askApy({ address: friendly(POOL), fixedPeriod }).expect(200)).body as ApyOfRound[];

const nominatorOf = async (wallet: LocalWallet, fixedPeriod?: string): Promise<NominatorAnswer | null> => {
  const { body } = await ask({
    pool: friendly(POOL),
    addr: friendly(wallet.contract.address),
    fixedPeriod,
  }).expect(200);
  return (body as { nominator: NominatorAnswer | null }).nominator;
};

/** All that the pool says of a member. */
async function wholeOf(wallet: LocalWallet): Promise<bigint> {
  const { balance, pendingDeposit, withdraw } = await pool().getMember(wallet.contract.address);
  return balance + pendingDeposit + withdraw;
}

const isStaked = () =>
  until(
    () => pool().getStakingStatus(),
    ({ locked, querySent }) => locked && !querySent,
  );

/** Moves the chain on until the pool has given back what it has staked, and has staked again. */
async function passRound(): Promise<void> {
  const { stakeAt, liftAt } = await isStaked();
  await network.devnet.advanceTime(liftAt - (await client.getLastBlock()).now);
  await until(
    () => pool().getStakingStatus(),
    status => status.stakeAt !== stakeAt,
  );
}

/** Asks until the answer is of now: what is stale is served, and refreshed behind. */
async function current(wallet: LocalWallet, fixedPeriod?: string): Promise<NominatorAnswer> {
  return until(async () => {
    aheadMs += 60_000;
    const found = (await nominatorOf(wallet, fixedPeriod))!;
    const stake = await pool().getMember(wallet.contract.address);
    expect(found).toMatchObject({
      balance: String(stake.balance),
      pendingDeposit: String(stake.pendingDeposit),
      pendingWithdraw: String(stake.pendingWithdraw),
      withdraw: String(stake.withdraw),
    });
    return found;
  });
}

const sum = (of: readonly { readonly amount: string }[]): bigint =>
  of.reduce((total, { amount }) => total + BigInt(amount), 0n);

beforeAll(async () => {
  ({ network, client, alice, bob } = await startTestnet({
    watched: false,
    features: [elections, staking],
    clock: () => new Date(Date.now() + aheadMs),
  }));
  for (const wallet of [alice, bob]) await network.devnet.faucet(rawOf(wallet), toNano(20_000));
});
afterAll(() => network.close());

it('has nothing of who has moved nothing, and no round before one has ended', async () => {
  expect(await nominatorOf(alice)).toBeNull();
  expect(await apy()).toEqual([]);
});

it('has a deposit without its fees, and no profit before a round has ended', async () => {
  await send(alice, STAKE + FEES, comment('Deposit'));
  const found = await until(
    () => nominatorOf(alice),
    nominator => nominator !== null,
  );
  expect(found).toMatchObject({
    profitAmount: '0',
    totalDepositAmount: String(STAKE),
    totalWithdrawAmount: '0',
    deposits: [{ amount: String(STAKE), trigger: 'comment' }],
    withdraws: [],
    profits: [],
    profitByTimespan: '0',
    roundsKnownSince: null,
  });
});

it('has the yield of a round, as the wallet app computes it from its election', async () => {
  await passRound();
  const [round] = await until(apy, found => found.length === 1);
  const { bonuses, totalStake, electedFor } = round!.election;
  const past = await client.open(ElectorContract.create()).getPastElections();
  const own = past.find(({ id }) => id === round!.round)!;
  expect([bonuses, totalStake]).toEqual([String(own.bonuses), String(own.totalStake)]);
  const rate = Math.floor((Number(bonuses) * 1e6) / Number(totalStake)) / 1e6;
  const cycles = Math.floor(31_536_000_000 / (2 * electedFor * 1_000));
  expect(round!.globalApy).toBe((((1 + rate) ** cycles - 1) * 100).toFixed(5));
});

it('names two observations of the pool, which are what the chain says, and the yield follows from them', async () => {
  const [round] = await apy();
  const { before, after, perCoin, profit } = round!;
  const declared = stakingPoolApy.response!.element.shape;
  for (const [said, { shape }] of [
    [round!, { shape: declared }],
    [before, declared.before],
    [after, declared.after],
    [round!.election, declared.election],
  ] as const)
    expect(Object.keys(said).sort()).toEqual(Object.keys(shape).sort());
  for (const observed of [before, after]) {
    const { account } = await client.getAccount(observed.seqno, POOL);
    if (account.state.type !== 'active') throw new Error('no pool');
    const stored = readStoredPool(Cell.fromBase64(account.state.data!));
    expect(String(stored.profitPerCoin)).toBe(observed.profitPerCoin);
    expect(String(stored.balance)).toBe(observed.balance);
  }
  expect(BigInt(after.balance) - BigInt(before.balance)).toBe(BigInt(profit));
  // Nothing was donated: the pool has added what the round has brought to each coin.
  expect(BigInt(after.profitPerCoin) - BigInt(before.profitPerCoin)).toBe(BigInt(perCoin));
  expect(BigInt(perCoin)).toBeGreaterThan(0n);
  expect(round!.poolApy).toBe(poolApy(BigInt(perCoin), round!.election.electedFor));
  expect(Number(round!.poolApy)).toBeLessThan(Number(round!.globalApy));
});

it('has the profit of a member, which is what the pool has given it', async () => {
  const { profitAmount, profits, profitByTimespan } = await current(alice);
  expect(BigInt(profitAmount)).toBe((await wholeOf(alice)) - STAKE);
  expect(BigInt(profitAmount)).toBeGreaterThan(0n);
  expect(profits).toHaveLength(1);
  expect(profits[0]).toMatchObject({ amount: profitAmount, rounds: 1 });
  expect(profitByTimespan).toBe(profitAmount);
});

it('a donation is a profit of the members, and no yield of a round', async () => {
  const [first] = await apy();
  const before = await wholeOf(alice);
  await send(bob, toNano(5_000), donationBody());
  await until(
    () => wholeOf(alice),
    whole => whole > before,
  );
  expect(BigInt((await current(alice)).profitAmount)).toBe((await wholeOf(alice)) - STAKE);
  await passRound();
  const rounds = await until(apy, found => found.length === 2);
  expect(rounds[0]).toEqual(first);
  // Rewards are from 140 to 160 millionths of the stake.
  expect(Number(rounds[1]!.poolApy)).toBeLessThan(Number(first!.poolApy) * 1.2);
  const { profits, profitAmount } = await current(alice);
  expect(BigInt(profits[1]!.amount)).toBeGreaterThan(2n * BigInt(profits[0]!.amount));
  expect(sum(profits)).toBe(BigInt(profitAmount));
});

it('what somebody adds to the demand for the stake is a profit of the members, and no yield of the round', async () => {
  const { stakeAt, liftAt } = await isStaked();
  const [first] = await apy();
  const { simulation } = network.devnet;
  const untilLift = async (): Promise<number> => liftAt - (await client.getLastBlock()).now;
  // The controller has finalised the lock, and waits.
  await network.devnet.advanceTime((await untilLift()) - 200);
  await until(
    () => pool().getStakingStatus(),
    ({ lockFinal }) => lockFinal,
  );
  await simulation.pause();
  // It is in the first block in which the stake can be recovered, after which the controller would ask for it.
  const wallet = client.open(bob.contract as WalletContractV4);
  await wallet.send(
    await wallet.createTransfer({
      seqno: await wallet.getSeqno(),
      secretKey: bob.keys.secretKey,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      timeout: (await client.getLastBlock()).now + 300,
      messages: [internal({ to: POOL, value: toNano(1_002), body: comment('Recover') })],
    }),
  );
  await network.devnet.advanceTime(await untilLift());
  await simulation.resume();
  await until(
    () => pool().getStakingStatus(),
    status => status.stakeAt !== stakeAt,
  );
  const round = (await until(apy, found => found.length === 3))[2]!;
  const surplus = BigInt(round.surplus);
  // Less what the way to the proxy costs.
  expect(surplus).toBeLessThan(toNano(1_000));
  expect(surplus).toBeGreaterThan(toNano(999));
  expect(BigInt(round.profit)).toBeGreaterThan(surplus);
  expect(BigInt(round.after.profitPerCoin) - BigInt(round.before.profitPerCoin)).toBeGreaterThan(
    2n * BigInt(round.perCoin),
  );
  expect(Number(round.poolApy)).toBeLessThan(Number(first!.poolApy) * 1.2);
  expect(BigInt((await current(alice)).profitAmount)).toBe((await wholeOf(alice)) - STAKE);
});

it('has a withdrawal when it is paid, to the nanoton, and keeps the history of who has left and is back', async () => {
  await isStaked();
  await send(alice, FEES, withdrawBody(toNano(100)));
  await until(
    () => pool().getMember(alice.contract.address),
    ({ pendingWithdraw }) => pendingWithdraw > 0n,
  );
  expect(await current(alice)).toMatchObject({ withdraws: [], totalWithdrawAmount: '0' });
  await passRound();
  await until(
    () => pool().getMember(alice.contract.address),
    ({ withdraw }) => withdraw > 0n,
  );
  // All of it: what is ready at once, and the rest after the round.
  await send(alice, FEES, comment('Withdraw'));
  const paid = await until(
    () => current(alice),
    ({ withdraws }) => withdraws.length === 1,
  );
  expect(paid.withdraws[0]).toMatchObject({ amount: String(toNano(100)), trigger: 'comment' });
  await isStaked();
  await passRound();
  const { withdraw } = await until(
    () => pool().getMember(alice.contract.address),
    member => member.withdraw > 0n,
  );
  await send(alice, FEES, comment('Withdraw'));
  await until(
    () => wholeOf(alice),
    whole => whole === 0n,
  );
  const left = await until(
    () => current(alice),
    ({ withdraws }) => withdraws.length === 2,
  );
  expect(left.withdraws[1]!.amount).toBe(String(withdraw));
  expect(left.profitAmount).toBe(String(toNano(100) + withdraw - STAKE));

  await send(alice, STAKE + FEES, depositBody());
  const back = await until(
    () => current(alice),
    ({ deposits }) => deposits.length === 2,
  );
  expect(back).toMatchObject({ profitAmount: left.profitAmount, profits: left.profits });
  expect(back.deposits[1]).toMatchObject({ amount: String(STAKE), trigger: 'payload' });
});

it('a deposit that came back or was refused is none', async () => {
  const { deposits, profitAmount } = await current(alice);
  // Less than the pool takes.
  await send(alice, toNano('0.5'), comment('Deposit'));
  await transfer(client, alice, [
    internal({ to: POOL, value: toNano('0.4'), body: depositBody(), bounce: false }),
  ]);
  await send(alice, toNano(7) + FEES, comment('Deposit'));
  const after = await until(
    () => current(alice),
    found => found.deposits.length > deposits.length,
  );
  expect(after.deposits.slice(deposits.length)).toMatchObject([{ amount: String(toNano(7)) }]);
  expect(after.profitAmount).toBe(profitAmount);
});

it('is of a period', async () => {
  const [all, week, day] = [await current(alice), await current(alice, 'week'), await current(alice, 'day')];
  expect(week.totalDepositAmount).toBe(all.totalDepositAmount);
  expect(week.profits).toEqual(all.profits.filter(({ time }) => Date.parse(time) >= sinceOf(all, 7)));
  expect(day.profits).toEqual(all.profits.filter(({ time }) => Date.parse(time) >= sinceOf(all, 1)));
  expect(day.profits.length).toBeLessThan(all.profits.length);
  // The rest of all was earned in the rounds before it.
  const earlier = all.profits.slice(0, all.profits.length - day.profits.length);
  expect(BigInt(all.profitAmount) - BigInt(day.profitByTimespan!)).toBe(sum(earlier));
  expect((await apy('day')).length).toBeLessThan((await apy('all')).length);
  expect(await apy('year')).toEqual(await apy());
});

/** The chain is ahead of the clock. */
const sinceOf = ({ profits }: NominatorAnswer, days: number): number =>
  Date.parse(profits.at(-1)!.time) - days * 86_400_000;

/** The stake may be read again at any time. */
function withoutAge({ at: _at, seqno: _seqno, ...rest }: NominatorAnswer) {
  return rest;
}

it('is the same after the documents were made again', async () => {
  const before = [await apy(), withoutAge(await current(alice))];
  const observed = ['round', 'nominator', 'nominator-round'].map(kind => `observed-ton-staking-${kind}`);
  for (const projection of ['ton-stakes', 'ton-transactions', ...observed]) {
    const { comparison } = await network.deps.engine.rebuild(projection, network.deps);
    expect(comparison).toMatchObject({ different: 0 });
  }
  expect([await apy(), withoutAge(await current(alice))]).toEqual(before);
});

it('has nothing of the pool itself, its owner and its proxy', async () => {
  for (const member of [POOL, await pool().getOwner(), await pool().getProxy()]) {
    const { body } = await ask({ pool: friendly(POOL), addr: friendly(member) }).expect(200);
    expect(body).toEqual({ nominator: null, isFollowed: true });
  }
});

it('says that a pool is not followed, as one of the other network', async () => {
  const raw = { pool: POOL.toRawString(), addr: rawOf(alice) };
  expect((await ask(raw).expect(200)).body).toEqual({ nominator: null, isFollowed: false });
  expect((await ask({ ...raw, isTestnet: true }).expect(200)).body).toMatchObject({
    isFollowed: true,
    nominator: { totalDepositAmount: expect.any(String) },
  });
  expect((await askApy({ address: rawOf(alice), isTestnet: true }).expect(200)).body).toEqual([]);
});

it.each([
  ['another period', { fixedPeriod: 'decade' }, '/body/fixedPeriod'],
  ['a member that is no address', { addr: 'alice' }, '/body/addr'],
  ['no pool', { pool: undefined }, '/body/pool'],
  ['a test-only pool on mainnet', { isTestnet: false }, '/body/isTestnet'],
])('refuses %s and names the field', async (_, wrong, pointer) => {
  const good = { pool: friendly(POOL), addr: rawOf(alice) };
  const { body } = await ask({ ...good, ...wrong }).expect(400);
  expect(body).toMatchObject({ ok: false, errors: [{ pointer }] });
});

it('a thousand pools that somebody made up leave nothing behind, and an honest reader its answer', async () => {
  const collections = [poolRoundObservation, nominatorObservation, nominatorRoundObservation].map(
    observation => network.deps.observed(observation as Observation).collection,
  );
  const stored = () => Promise.all(collections.map(each => network.views.count(each)));
  const before = withoutAge(await current(alice));
  const storedBefore = await stored();
  const madeUp = Array.from({ length: 1_000 }, (_, i) => `0:${i.toString(16).padStart(64, 'e')}`);
  const answers = await Promise.all(
    madeUp.map(async (made, i) => {
      const body = { pool: made, addr: rawOf(bob), isTestnet: true };
      if (i % 100 === 0) expect(withoutAge((await nominatorOf(alice))!)).toEqual(before);
      return (await ask(body).expect(200)).body as object;
    }),
  );
  expect(new Set(answers.map(answer => JSON.stringify(answer)))).toEqual(
    new Set([JSON.stringify({ nominator: null, isFollowed: false })]),
  );
  expect(await stored()).toEqual(storedBefore);
});

it('who is a member of another pool is none of this one', async () => {
  await transfer(client, bob, [internal({ to: OTHER_POOL, value: toNano(50) + FEES, body: depositBody() })]);
  const { body } = await until(
    () => ask({ pool: friendly(OTHER_POOL), addr: friendly(bob.contract.address) }),
    ({ body }) => (body as { nominator: object | null }).nominator !== null,
  );
  expect(body).toMatchObject({ nominator: { totalDepositAmount: String(toNano(50)) } });
  expect(await nominatorOf(bob)).toBeNull();
});

it('has a round no more that the chain has taken back, once the history of the proxy was read again', async () => {
  const before = await apy();
  const proxy = (await pool().getProxy()).toRawString();
  const { transactions } = await network.transactions.page('testnet', proxy, { limit: 50 });
  const { lt, hash } = transactions.find(({ decoded }) => decoded().inMessage?.op === 0xf96f7324)!;
  const of = { version: TON_MESSAGE_VERSION, network: 'testnet', account: proxy } as const;
  const publish = (message: TonLogMessage) =>
    network.engines.log.publish(TON_TRANSACTIONS.name, [
      { key: tonMessageKey(of), value: encodeTonMessage(message) },
    ]);
  await publish({ type: 'retracted', ...of, lt, hash, external: [] });
  await until(
    () => askApy({ address: friendly(POOL) }),
    ({ status }) => status === 503,
  );
  await publish({ type: 'backfilled', ...of, downTo: '0', watch: 1 });
  const after = await until(
    () => askApy({ address: friendly(POOL) }),
    ({ status }) => status === 200,
  );
  expect(after.body).toEqual(before.slice(0, -1));
});
