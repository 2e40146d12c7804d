import { Address, Cell, Dictionary, type Message, beginCell, comment, toNano } from '@ton/core';
import { JettonMaster } from '@ton/ton';
import {
  type LiquidOutcome,
  type LiquidPoolOnTvm,
  MEMBERS,
  liquidPoolOnTvm,
} from '../../../../../test/devnet/liquid-pool';
import { CONTROLLER, NOT_THERE, OWNER } from '../../../../../test/devnet/nominator-pool';
import { ROUND } from '../../elections/schedule';
import { jettonBurnBody, jettonTransferBody } from '../../jetton/jetton';
import { OP, changeAddressBody, upgradeBody, withdrawUnownedBody } from '../staking';
import { LIQUID_POOL_CODE } from './code';
import {
  LIQUID_OP,
  finalizeStakeBody,
  liquidCollectBody,
  liquidDepositBody,
  liquidUpdateBody,
  liquidWithdrawBody,
  recoverStakeBody,
  startRoundBody,
} from './liquid';

const [ALICE, BOB] = MEMBERS as [Address, Address];
const STRANGER = new Address(0, Buffer.alloc(32, 9));
const MASTERCHAIN = new Address(-1, Buffer.alloc(32, 1));
const FEES = toNano('0.2');
const RATE = 1_000_000_000n;

let on: LiquidPoolOnTvm;
beforeEach(async () => {
  on = await liquidPoolOnTvm();
});

const send = (from: Address, value: string | bigint, body: Cell, to?: Address): Promise<LiquidOutcome> =>
  on.send({ from, value: typeof value === 'bigint' ? value : toNano(value), body, ...(to && { to }) });
const codes = ({ steps }: LiquidOutcome): number[] => steps.map(({ exitCode }) => exitCode);
const exitCode = async (...sent: Parameters<typeof send>): Promise<number> => codes(await send(...sent))[0]!;

const deposit = (from: Address, amount: string): Promise<LiquidOutcome> =>
  send(from, toNano(amount) + FEES, liquidDepositBody({ amount: toNano(amount), response: from }));
const withdraw = (from: Address, jettons: string): Promise<LiquidOutcome> =>
  send(from, FEES, liquidWithdrawBody({ jettons: toNano(jettons), response: from }));
const collect = (from: Address): Promise<LiquidOutcome> =>
  send(from, FEES, liquidCollectBody({ response: from }));
const jettons = async (owner: Address): Promise<bigint> =>
  (await on.walletFor(owner).getWalletData()).balance;
const pending = async (owner: Address) => [...(await on.walletFor(owner).getPendingWithdrawals())];
const status = () => on.pool.getPoolStatus();

/** Unix seconds from which on the wallet app says that what was withdrawn in a round of the main network is ready; null: it is. */
const dueInWallets = (round: number, pool: { readonly roundId: number; readonly roundEnd: number }) =>
  round + 3 <= pool.roundId ? null : pool.roundEnd + (round + 2 - pool.roundId) * 66_960;

/** What one message says: to whom, with which value, whether it bounces, its operation and query. */
function read({ info, body }: Message) {
  if (info.type !== 'internal') throw new Error('not internal');
  const slice = body.beginParse();
  return {
    to: info.dest.toString(),
    value: info.value.coins,
    bounce: info.bounce,
    op: slice.loadUint(32),
    queryId: slice.loadUintBig(64),
  };
}

/** To the start of the next election but `rounds`, without anything happening in between. */
const passRounds = (rounds: number): void =>
  on.moveTo(on.nextRound() + rounds * ROUND.electedFor - ROUND.startBefore);

async function startNextRound(): Promise<void> {
  passRounds(1);
  expect(codes(await on.startRound())).toEqual([0]);
}

/** A profit or a loss of all that is there. Returns the nanotons that were staked. */
async function earn(profit: bigint): Promise<bigint> {
  const stakeAt = on.nextRound();
  expect(codes(await on.startRound())).toEqual([0]);
  const { balance, roundId } = await status();
  const proxy = roundId & 1 ? 1 : 0;
  expect(codes(await on.stake(balance))).toEqual([0]);
  expect(codes(await on.answerStake(proxy))).toEqual([0]);
  on.moveTo(on.recoverableAt(stakeAt));
  expect(codes(await on.recover(proxy))).toEqual([0]);
  expect(codes(await on.giveBack(proxy, balance + profit))).toEqual([0]);
  return balance;
}

describe('a new pool', () => {
  it('has the public defaults, no funds, and a price of one', async () => {
    expect(await status()).toEqual({
      rateDeposit: RATE,
      rateWithdraw: RATE,
      roundId: 0,
      enabled: true,
      upgradable: true,
      minStake: toNano('49.8'),
      depositFee: toNano('0.1'),
      withdrawFee: toNano('0.1'),
      receiptPrice: toNano('0.1'),
      poolFee: 1_000n,
      supply: 0n,
      balance: 0n,
      sent: 0n,
      pendingWithdraw: 0n,
      withdraw: 0n,
    });
    expect(await on.pool.getUnowned()).toBe(0n);
    expect((await on.pool.getWalletAddress(ALICE)).toString()).toBe(on.walletOf(ALICE).toString());
  });

  it('is the master of a jetton', async () => {
    await deposit(ALICE, '100');
    const data = await on.open(JettonMaster.create(on.address)).getJettonData();
    expect(data).toMatchObject({ totalSupply: toNano(100), mintable: true });
    expect(data.adminAddress.toString()).toBe(OWNER.toString());
    const wallet = await on.walletFor(ALICE).getWalletData();
    expect(wallet.code.equals(data.walletCode)).toBe(true);
    expect(wallet.owner.toString()).toBe(ALICE.toString());
    expect(wallet.pool.toString()).toBe(on.address.toString());
  });

  it('has the data that wallets read', async () => {
    await deposit(ALICE, '400000');
    await on.startRound();
    const stakeAt = on.nextRound();
    await on.stake(toNano(400_000));
    const state = (await on.provider().getState()).state;
    if (state.type !== 'active') throw new Error(state.type);
    const data = Cell.fromBoc(state.data!)[0]!.beginParse();
    expect([data.loadAddress(), data.loadAddress()].map(String)).toEqual([OWNER, CONTROLLER].map(String));
    expect([data.loadUint(32), data.loadUint(32), data.loadCoins()]).toEqual([stakeAt, 1, 0n]);
    const [funds, jetton, staking] = [data.loadRef(), data.loadRef(), data.loadRef()].map(each =>
      each.beginParse(),
    );
    expect(data.remainingRefs).toBe(0);
    const coins = [1, 2, 3, 4].map(() => funds!.loadCoins());
    expect(coins).toEqual([toNano(400_000), toNano(400_000), 0n, 0n]);
    expect([jetton!.loadCoins(), jetton!.remainingRefs]).toEqual([toNano(400_000), 2]);
    staking!.skip(8);
    expect([staking!.loadAddress(), staking!.loadAddress()].map(String)).toEqual(on.proxies.map(String));
    const stakes = staking!.loadDict(Dictionary.Keys.Uint(1), {
      serialize: () => undefined,
      parse: slice => ({
        times: [slice.loadUint(32), slice.loadUint(32)],
        sent: slice.loadCoins(),
        query: [slice.loadUint(64), slice.loadUint(32), slice.loadCoins()],
        heldFor: slice.loadUint(32),
        lockFinal: slice.loadBit(),
        rest: slice.remainingBits,
      }),
    });
    expect([...stakes]).toEqual([
      [
        1,
        {
          times: [stakeAt, stakeAt + ROUND.electedFor + ROUND.heldFor],
          sent: toNano(400_000),
          query: [5, OP.newStake, toNano(400_000)],
          heldFor: ROUND.heldFor,
          lockFinal: false,
          rest: 0,
        },
      ],
    ]);
  });
});

describe('messages that it refuses', () => {
  const response = ALICE;
  const unknown = beginCell().storeUint(0x12345678, 32).storeUint(1, 64).endCell();
  it.each([
    ['no body', ALICE, '1', beginCell().endCell(), 72],
    ['an unknown text', ALICE, '60', comment('Stake'), 72],
    ['an unknown operation', ALICE, '1', unknown, 72],
    ['one from the masterchain', MASTERCHAIN, '100', comment('Deposit'), 70],
    [
      'a deposit that does not pay its fees',
      ALICE,
      toNano('100.2') - 1n,
      liquidDepositBody({ amount: toNano(100), response }),
      76,
    ],
    [
      'a deposit that does not pay the notification',
      ALICE,
      '100.2',
      liquidDepositBody({ amount: toNano(100), response, forwardValue: 1n }),
      76,
    ],
    [
      'a deposit below the minimum',
      ALICE,
      '60',
      liquidDepositBody({ amount: toNano('49.8') - 1n, response }),
      77,
    ],
    ['a deposit by text below the minimum', ALICE, toNano(50) - 1n, comment('Deposit'), 77],
    ['a deposit by text that has no fees', ALICE, '0.1', comment('Deposit'), 76],
    ['a withdrawal without its fees', ALICE, FEES - 1n, liquidWithdrawBody({ jettons: 1n, response }), 76],
    ['a collection without its fees', ALICE, FEES - 1n, liquidCollectBody({ response }), 76],
    ['a collection by text without its fees', ALICE, FEES - 1n, comment('Collect'), 76],
    ['a collection before anything can be due', ALICE, FEES, liquidCollectBody({ response }), 72],
    ['a round from a stranger', ALICE, '1', startRoundBody(2_000_000_000), 73],
    ['a round from the owner', OWNER, '1', startRoundBody(2_000_000_000), 73],
    ['a finalisation from a stranger', ALICE, '1', finalizeStakeBody(0), 73],
    ['a recovery from a stranger', ALICE, '2', recoverStakeBody(0), 73],
    ['an upgrade from a stranger', ALICE, '1', upgradeBody(LIQUID_POOL_CODE), 73],
    ['an upgrade from the controller', CONTROLLER, '1', upgradeBody(LIQUID_POOL_CODE), 73],
    ['another owner from a stranger', ALICE, '1', changeAddressBody(ALICE, ALICE), 73],
    ['a withdrawal of what nobody owns from a stranger', ALICE, '1', withdrawUnownedBody(), 73],
    ['a query of the owner without an id', OWNER, '1', changeAddressBody(BOB, ALICE, 0n), 72],
    ['a round that is too far ahead', CONTROLLER, '1', startRoundBody(2_000_000_000), 72],
    ['a round that has begun', CONTROLLER, '1', startRoundBody(1_740_000_000), 72],
    ['a finalisation without a stake', CONTROLLER, '1', finalizeStakeBody(1), 72],
    ['a recovery without a stake', CONTROLLER, '2', recoverStakeBody(1), 72],
    ['a recovery that is too small', CONTROLLER, toNano(2) - 1n, recoverStakeBody(1), 76],
  ] as const)('%s', async (_, from, value, body, code) => {
    const { steps, sent } = await send(from, value, body);
    expect(steps.map(each => each.exitCode)).toEqual([code]);
    // The coins go back.
    expect(sent.map(({ info }) => info.type === 'internal' && info.dest.toString())).toEqual([
      from.toString(),
    ]);
  });

  it('external ones', async () => {
    await expect(on.sendExternal()).rejects.toThrow();
  });

  it('what claims to be a wallet, and is none', async () => {
    const burnt = beginCell()
      .storeUint(0x7bdd97de, 32)
      .storeUint(0, 64)
      .storeCoins(1)
      .storeAddress(ALICE)
      .storeAddress(ALICE)
      .endCell();
    const taken = beginCell()
      .storeUint(LIQUID_OP.withdrawalsTaken, 32)
      .storeUint(0, 64)
      .storeCoins(1)
      .storeUint(0, 32)
      .storeAddress(ALICE)
      .storeAddress(ALICE)
      .endCell();
    await deposit(ALICE, '100');
    for (const body of [burnt, taken])
      for (const from of [ALICE, STRANGER, OWNER]) expect(await exitCode(from, '1', body)).toBe(74);
  });
});

describe('deposits', () => {
  it('are jettons at once, and what is left of the receipt comes back', async () => {
    const { steps, sent } = await deposit(ALICE, '100');
    expect(steps.map(({ to }) => to.toString())).toEqual([on.address, on.walletOf(ALICE)].map(String));
    expect(await jettons(ALICE)).toBe(toNano(100));
    expect(await status()).toMatchObject({ supply: toNano(100), balance: toNano(100) });
    const [rest, ...others] = sent.map(read);
    expect(others).toEqual([]);
    expect(rest).toMatchObject({ to: ALICE.toString(), op: 0xd53276db, bounce: false });
    expect(rest!.value).toBeGreaterThan(toNano('0.07'));
    expect(rest!.value).toBeLessThan(toNano('0.1'));
  });

  it('by text are all that was sent but the fees', async () => {
    expect(codes(await send(ALICE, toNano(50), comment('Deposit')))).toEqual([0, 0]);
    expect(await jettons(ALICE)).toBe(toNano('49.8'));
  });

  it('can notify their owner, and return what is sent beyond the amount to another address', async () => {
    const body = liquidDepositBody({
      amount: toNano(50),
      response: BOB,
      forwardValue: toNano('0.3'),
      queryId: 8n,
    });
    const sent = (await send(ALICE, '60', body)).sent.map(read);
    expect(sent).toMatchObject([
      { to: ALICE.toString(), op: 0x7362d09c, queryId: 8n },
      { to: BOB.toString(), op: 0xd53276db, queryId: 8n },
    ]);
    expect(sent[0]!.value).toBeGreaterThan(toNano('0.299'));
    expect(sent[1]!.value).toBeGreaterThan(toNano('9.5'));
    expect(await status()).toMatchObject({ supply: toNano(50), balance: toNano(50) });
  });

  it('are refused by a pool that is not enabled, which still gives back', async () => {
    await deposit(ALICE, '100');
    const { roundId: _, ...parameters } = await status();
    expect(await exitCode(OWNER, '1', liquidUpdateBody({ ...parameters, enabled: false }))).toBe(0);
    expect(codes(await deposit(BOB, '100'))).toEqual([72]);
    expect(codes(await withdraw(ALICE, '100'))).toEqual([0, 0, 0, 0]);
  });
});

describe('the price of a jetton', () => {
  it('has two directions: 950 jettons for 1,000 TON', async () => {
    await deposit(ALICE, '950');
    const { poolFee, ...parameters } = await status();
    expect(poolFee).toBe(1_000n);
    await send(OWNER, '1', liquidUpdateBody({ ...parameters, poolFee: 0n }));
    await earn(toNano(50));
    expect(await status()).toMatchObject({
      supply: toNano(950),
      balance: toNano(1_000),
      rateDeposit: 950_000_000n,
      rateWithdraw: 1_052_631_578n,
    });
    expect(await on.pool.getTonBalance(toNano(950))).toBe(toNano(1_000));
    expect(await on.pool.getTonBalance(1_000_000_000n)).toBe(1_052_631_578n);
    await deposit(BOB, '100');
    expect(await jettons(BOB)).toBe(toNano(95));
  });

  it('grows with a profit, less the fee, which is the owner’s', async () => {
    await deposit(ALICE, '1000');
    const before = await on.pool.getUnowned();
    await earn(toNano(10));
    expect(await status()).toMatchObject({ balance: toNano(1_009), sent: 0n });
    // Beside the fee, the two TON that the controller has sent to recover the stake, and what the stake cost.
    expect((await on.pool.getUnowned()) - before).toBeGreaterThanOrEqual(toNano(1));
  });

  it('falls with a loss, in which the owner has no part', async () => {
    await deposit(ALICE, '1000');
    await earn(-toNano(10));
    expect(await status()).toMatchObject({ balance: toNano(990), rateWithdraw: 990_000_000n });
  });

  it('is not there after a loss of everything', async () => {
    await deposit(ALICE, '1000');
    await earn(-toNano(1_000));
    expect(await status()).toMatchObject({ balance: 0n, rateDeposit: 0n, rateWithdraw: 0n });
    expect(codes(await deposit(BOB, '100'))).toEqual([77]);
  });
});

describe('withdrawals', () => {
  beforeEach(async () => {
    await deposit(ALICE, '100');
  });

  it('are owed in TON from then on, under the present round', async () => {
    await startNextRound();
    const { steps, sent } = await withdraw(ALICE, '40');
    const wallet = on.walletOf(ALICE);
    expect(steps.map(({ to }) => to.toString())).toEqual(
      [on.address, wallet, on.address, wallet].map(String),
    );
    expect(sent.map(read)).toMatchObject([{ to: ALICE.toString(), op: 0xd53276db, bounce: false }]);
    expect(await jettons(ALICE)).toBe(toNano(60));
    expect(await pending(ALICE)).toEqual([[1, toNano(40)]]);
    expect(await status()).toMatchObject({
      supply: toNano(60),
      balance: toNano(60),
      pendingWithdraw: toNano(40),
      withdraw: 0n,
    });
  });

  it('of one round are one, those of others beside it', async () => {
    await withdraw(ALICE, '10');
    await withdraw(ALICE, '5');
    await startNextRound();
    await withdraw(ALICE, '20');
    expect(await pending(ALICE)).toEqual([
      [0, toNano(15)],
      [1, toNano(20)],
    ]);
  });

  it('of nothing are of everything', async () => {
    await withdraw(ALICE, '0');
    expect(await jettons(ALICE)).toBe(0n);
    expect(await pending(ALICE)).toEqual([[0, toNano(100)]]);
    await deposit(BOB, '70');
    await send(BOB, FEES, comment('Withdraw'));
    expect(await pending(BOB)).toEqual([[0, toNano(70)]]);
    expect(await status()).toMatchObject({ supply: 0n, balance: 0n, rateDeposit: RATE, rateWithdraw: RATE });
  });

  it('are of what the owner has', async () => {
    expect(codes(await withdraw(ALICE, '100.000000001'))).toEqual([0, 706, 0]);
    expect(codes(await withdraw(BOB, '1'))).toEqual([0, NOT_THERE, 0]);
    expect(await status()).toMatchObject({ supply: toNano(100), balance: toNano(100) });
    expect(await jettons(ALICE)).toBe(toNano(100));
  });

  it('are paid three rounds later, to the nanoton', async () => {
    await startNextRound();
    await withdraw(ALICE, '40');
    await startNextRound();
    expect(codes(await collect(ALICE))).toEqual([72]);
    await startNextRound();
    const tooSoon = await collect(ALICE);
    expect(tooSoon.sent.map(read)).toMatchObject([{ op: 0xd53276db, to: ALICE.toString() }]);
    expect(await pending(ALICE)).toEqual([[1, toNano(40)]]);
    await startNextRound();
    expect(await status()).toMatchObject({ pendingWithdraw: 0n, withdraw: toNano(40) });
    const { sent } = await send(ALICE, FEES, liquidCollectBody({ response: BOB, queryId: 3n }));
    const [paid, rest] = sent.map(read);
    expect(paid).toMatchObject({ to: ALICE.toString(), bounce: false, op: OP.withdrawResponse, queryId: 3n });
    expect(paid!.value).toBe(toNano(40));
    expect(rest).toMatchObject({ to: BOB.toString(), op: 0xd53276db, queryId: 3n });
    expect(await pending(ALICE)).toEqual([]);
    expect(await status()).toMatchObject({ pendingWithdraw: 0n, withdraw: 0n, balance: toNano(60) });
  });

  it('are paid by the text command, and only those that are due', async () => {
    await withdraw(ALICE, '10');
    await startNextRound();
    await withdraw(ALICE, '20');
    await startNextRound();
    await startNextRound();
    const paid = (await send(ALICE, FEES, comment('Collect'))).sent.map(read);
    expect(paid[0]!.value).toBe(toNano(10));
    expect(await pending(ALICE)).toEqual([[1, toNano(20)]]);
  });

  it('are collected of ten rounds at once, the newest ones first', async () => {
    for (let round = 0; round < 12; round++) {
      await withdraw(ALICE, '1');
      await startNextRound();
    }
    for (let round = 0; round < 2; round++) await startNextRound();
    expect((await collect(ALICE)).sent.map(read)[0]!.value).toBe(toNano(10));
    expect(await pending(ALICE)).toEqual([
      [0, toNano(1)],
      [1, toNano(1)],
    ]);
    expect((await collect(ALICE)).sent.map(read)[0]!.value).toBe(toNano(2));
    expect(await pending(ALICE)).toEqual([]);
  });

  it('are due when wallets say so: in round 105 those of round 102, those of each later one at the end of a round', async () => {
    const rounds = [102, 103, 104, 105];
    await startNextRound();
    passRounds(101);
    for (const roundId of rounds) {
      expect(codes(await on.startRound())).toEqual([0]);
      expect(await status()).toMatchObject({ roundId });
      await withdraw(ALICE, '10');
      if (roundId < 105) passRounds(1);
    }
    const roundEnd = on.nextRound() + ROUND.electedFor - ROUND.startBefore;
    const due = rounds.map(round => dueInWallets(round, { roundId: 105, roundEnd }));
    expect(due).toEqual([null, roundEnd, roundEnd + 66_960, roundEnd + 133_920]);
    for (const [place, at] of due.entries()) {
      if (at !== null) {
        const tooSoon = await collect(ALICE);
        expect(tooSoon.sent.map(read)).toMatchObject([{ op: 0xd53276db, to: ALICE.toString() }]);
        on.moveTo(at);
        expect(codes(await on.startRound())).toEqual([0]);
      }
      expect((await collect(ALICE)).sent.map(read)[0]!.value).toBe(toNano(10));
      expect(await pending(ALICE)).toEqual(rounds.slice(place + 1).map(round => [round, toNano(10)]));
    }
  });

  it('have the price of their day, whatever the pool earns later', async () => {
    await withdraw(ALICE, '40');
    await earn(-toNano(30));
    expect(await pending(ALICE)).toEqual([[0, toNano(40)]]);
    expect(await status()).toMatchObject({ balance: toNano(30), supply: toNano(60) });
  });

  it('are left to the wallet, under their last round, while the money for them is staked', async () => {
    await startNextRound();
    await on.stake(toNano(100));
    await on.answerStake(1);
    await withdraw(ALICE, '10');
    await startNextRound();
    await withdraw(ALICE, '20');
    await startNextRound();
    expect(await exitCode(CONTROLLER, '0.2', finalizeStakeBody(1))).toBe(0);
    for (let round = 0; round < 2; round++) await startNextRound();
    expect(await status()).toMatchObject({ roundId: 5, pendingWithdraw: toNano(30), withdraw: 0n });
    expect(codes(await collect(ALICE))).toEqual([0, 0, 77, 0]);
    expect(await pending(ALICE)).toEqual([[2, toNano(30)]]);
    await on.recover(1);
    await on.giveBack(1, toNano(100));
    expect(await status()).toMatchObject({ pendingWithdraw: 0n, withdraw: toNano(30), balance: toNano(70) });
    expect((await collect(ALICE)).sent.map(read)[0]!.value).toBe(toNano(30));
  });

  it('are not paid earlier, if a wallet asks for it', async () => {
    await startNextRound();
    await withdraw(ALICE, '40');
    for (let round = 0; round < 2; round++) await startNextRound();
    const taken = beginCell()
      .storeUint(LIQUID_OP.withdrawalsTaken, 32)
      .storeUint(0, 64)
      .storeCoins(toNano(40))
      .storeUint(1, 32)
      .storeAddress(ALICE)
      .storeAddress(null)
      .endCell();
    expect(await exitCode(on.walletOf(ALICE), '1', taken)).toBe(72);
    await startNextRound();
    const { sent } = await send(on.walletOf(ALICE), '1', taken);
    expect(sent.map(each => read(each).to)).toEqual([ALICE, ALICE].map(String));
  });

  it('are left to the wallet when a loss has taken the money', async () => {
    await startNextRound();
    await on.stake(toNano(100));
    await on.answerStake(1);
    await withdraw(ALICE, '0');
    for (let round = 0; round < 2; round++) await startNextRound();
    expect(await exitCode(CONTROLLER, '0.2', finalizeStakeBody(1))).toBe(0);
    await startNextRound();
    await on.recover(1);
    await on.giveBack(1, toNano(10));
    expect(codes(await collect(ALICE))).toEqual([0, 0, 77, 0]);
    expect(await pending(ALICE)).toEqual([[1, toNano(100)]]);
  });
});

describe('rounds', () => {
  beforeEach(async () => {
    await deposit(ALICE, '1000');
  });

  it('start once for each election, and those that nobody has started count', async () => {
    await startNextRound();
    expect(codes(await on.startRound())).toEqual([72]);
    expect(await status()).toMatchObject({ roundId: 1 });
    passRounds(4);
    expect(codes(await on.startRound())).toEqual([0]);
    expect(await status()).toMatchObject({ roundId: 5 });
  });

  it('have a stake by one of two proxies in turn', async () => {
    for (const proxy of [1, 0] as const) {
      await startNextRound();
      const { sent } = await on.stake(toNano(300));
      expect(sent.map(read)).toMatchObject([
        { to: on.proxies[proxy].toString(), value: toNano(301), bounce: true, op: OP.newStake, queryId: 5n },
      ]);
      await on.answerStake(proxy);
    }
    expect(await status()).toMatchObject({ balance: toNano(1_000), sent: toNano(600) });
  });

  it('take no stake that is too large, too early, for another election, or sent with too little', async () => {
    expect(codes(await on.stake(toNano(300)))).toEqual([72]);
    await startNextRound();
    expect(codes(await on.stake(toNano(1_000) + 1n))).toEqual([77]);
    expect(codes(await on.stake(0n))).toEqual([77]);
    expect(codes(await on.stake(toNano(300), on.nextRound() + ROUND.electedFor))).toEqual([72]);
    expect(codes(await on.stake(toNano(300), on.nextRound(), toNano(2) - 1n))).toEqual([76]);
    expect(codes(await on.stake(toNano(300)))).toEqual([0]);
    // The elector has not answered yet.
    expect(codes(await on.stake(toNano(300)))).toEqual([72]);
    await on.answerStake(1);
    expect(codes(await on.stake(toNano(300)))).toEqual([0]);
    expect(await status()).toMatchObject({ sent: toNano(600) });
  });

  it('leave what is owed out of the stake', async () => {
    await withdraw(ALICE, '400');
    await startNextRound();
    expect(codes(await on.stake(toNano(600) + 1n))).toEqual([77]);
    expect(codes(await on.stake(toNano(600)))).toEqual([0]);
    expect(await status()).toMatchObject({ withdraw: toNano(400), balance: toNano(600), sent: toNano(600) });
  });

  it.each([
    ['is returned by the elector', OP.stakeReturned],
    ['has not arrived', 0xffffffff],
  ])('are without a stake that %s', async (_, op) => {
    await startNextRound();
    await on.stake(toNano(300));
    await on.answerStake(0, op);
    expect(await status()).toMatchObject({ sent: toNano(300) });
    const body = beginCell().storeUint(op, 32);
    if (op === 0xffffffff) body.storeUint(OP.newStake, 32);
    const returned = body.storeUint(5, 64).storeUint(0, 32).endCell();
    expect(codes(await on.send({ from: on.proxies[1], value: toNano(301), body: returned }))).toEqual([0]);
    expect(await status()).toMatchObject({ sent: 0n, balance: toNano(1_000) });
    expect(codes(await on.stake(toNano(300)))).toEqual([0]);
  });

  it('end with the stake, which is recovered once it is free, by its own proxy', async () => {
    await startNextRound();
    const at = on.nextRound();
    await on.stake(toNano(300));
    await on.answerStake(1);
    const finalize = (): Promise<number> => exitCode(CONTROLLER, '0.2', finalizeStakeBody(1));
    expect(await finalize()).toBe(72);
    on.moveTo(at + ROUND.electedFor);
    expect(await finalize()).toBe(0);
    expect(await finalize()).toBe(72);
    on.moveTo(on.recoverableAt(at) - 1);
    expect(codes(await on.recover(1))).toEqual([72]);
    on.moveTo(on.recoverableAt(at));
    expect(codes(await on.recover(0))).toEqual([72]);
    const { sent } = await on.recover(1);
    expect(sent.map(read)).toMatchObject([
      { to: on.proxies[1].toString(), op: OP.recoverStake, queryId: 1n, bounce: true },
    ]);
    expect(codes(await on.answerStake(1, OP.nothingToRecover, 1n))).toEqual([0]);
    expect(await status()).toMatchObject({ sent: toNano(300) });
    expect(codes(await on.answerStake(1, OP.stakeRecovered, 7n))).toEqual([0]);
    await on.recover(1);
    expect(codes(await on.answerStake(1, OP.stakeRecovered, 7n))).toEqual([72]);
    await on.giveBack(1, toNano(310));
    expect(await status()).toMatchObject({ sent: 0n, balance: toNano(1_009) });
  });
});

describe('the owner', () => {
  it('has what nobody else does', async () => {
    await deposit(ALICE, '1000');
    await earn(toNano(10));
    await withdraw(ALICE, '100');
    const unowned = await on.pool.getUnowned();
    expect(unowned).toBeGreaterThan(toNano(1));
    const { sent } = await send(OWNER, '1', withdrawUnownedBody());
    expect(sent.map(read)).toMatchObject([{ to: OWNER.toString(), op: OP.withdrawUnownedResponse }]);
    expect(sent.map(read)[0]!.value).toBeGreaterThan(unowned + toNano('0.98'));
    expect(sent.map(read)[0]!.value).toBeLessThan(unowned + toNano(1));
    expect(await on.pool.getUnowned()).toBeLessThan(toNano('0.01'));
    const { balance, pendingWithdraw, withdraw: ready } = await status();
    expect(await on.balanceOf(on.address)).toBeGreaterThanOrEqual(
      toNano(1) + balance + pendingWithdraw + ready - toNano('0.01'),
    );
  });

  it.each([
    ['a minimum below a TON', { minStake: toNano(1) - 1n }],
    ['a fee of deposits below a tenth', { depositFee: toNano('0.1') - 1n }],
    ['a fee of withdrawals below a tenth', { withdrawFee: toNano('0.1') - 1n }],
    ['a fee of more than the profit', { poolFee: 10_001n }],
  ])('cannot set %s', async (_, changed) => {
    const before = await status();
    expect(await exitCode(OWNER, '1', liquidUpdateBody({ ...before, ...changed }))).toBe(72);
    expect(await status()).toEqual(before);
  });

  it('changes parameters and addresses until the pool cannot be changed any more', async () => {
    const before = await status();
    const changed = {
      enabled: true,
      upgradable: false,
      minStake: toNano(2),
      poolFee: 10_000n,
      depositFee: toNano('0.5'),
      withdrawFee: toNano('0.3'),
    };
    expect(await exitCode(OWNER, '1', upgradeBody(LIQUID_POOL_CODE))).toBe(0);
    expect(await exitCode(OWNER, '1', liquidUpdateBody(changed))).toBe(0);
    expect(await status()).toEqual({ ...before, ...changed });
    expect(await exitCode(OWNER, '1', liquidUpdateBody(before))).toBe(73);
    expect(await exitCode(OWNER, '1', upgradeBody(LIQUID_POOL_CODE))).toBe(73);
    expect(await exitCode(ALICE, '2.6', comment('Deposit'))).toBe(0);
    expect(await exitCode(ALICE, '0.39', comment('Withdraw'))).toBe(76);
    expect(await exitCode(ALICE, '0.4', comment('Withdraw'))).toBe(0);
    expect(await exitCode(OWNER, '1', changeAddressBody(BOB, ALICE))).toBe(0);
    expect(codes(await on.startRound())).toEqual([73]);
    expect(await exitCode(ALICE, '1', startRoundBody(on.nextRound()))).toBe(0);
    expect(await exitCode(OWNER, '1', withdrawUnownedBody())).toBe(73);
  });
});

describe('a wallet', () => {
  const toWallet = (
    from: Address,
    body: Cell,
    value: string | bigint = '0.2',
    owner = ALICE,
  ): Promise<LiquidOutcome> => send(from, value, body, on.walletOf(owner));
  const transfer = (amount: bigint, to = BOB, forwardValue = 1n): Cell =>
    jettonTransferBody({ to, amount, response: ALICE, forwardValue });

  beforeEach(async () => {
    await deposit(ALICE, '100');
  });

  it('sends jettons, which then are worth as much elsewhere', async () => {
    const { steps, sent } = await toWallet(ALICE, transfer(toNano(40)));
    expect(steps.map(each => each.exitCode)).toEqual([0, 0]);
    expect(sent.map(each => read(each).to)).toEqual([BOB, ALICE].map(String));
    expect([await jettons(ALICE), await jettons(BOB)]).toEqual([toNano(60), toNano(40)]);
    await withdraw(BOB, '0');
    expect(await pending(BOB)).toEqual([[0, toNano(40)]]);
  });

  it.each([
    ['a transfer of somebody else', BOB, transfer(1n), '0.2', 705],
    ['a transfer of too much', ALICE, transfer(toNano(100) + 1n), '0.2', 706],
    ['a transfer to the masterchain', ALICE, transfer(1n, MASTERCHAIN), '0.2', 333],
    ['a transfer that does not pay for itself', ALICE, transfer(1n), '0.04', 709],
    [
      'a transfer without the bit of its payload',
      ALICE,
      beginCell()
        .storeUint(0x0f8a7ea5, 32)
        .storeUint(0, 64)
        .storeCoins(1)
        .storeAddress(BOB)
        .storeAddress(null)
        .storeBit(false)
        .storeCoins(0)
        .endCell(),
      '0.2',
      708,
    ],
    ['a burn of its owner', ALICE, jettonBurnBody({ amount: 1n, response: ALICE }), '0.2', 705],
    ['an unknown operation', ALICE, beginCell().storeUint(1, 32).storeUint(0, 64).endCell(), '0.2', 0xffff],
  ] as const)('refuses %s', async (_, from, body, value, code) => {
    expect((await toWallet(from, body, value)).steps.map(each => each.exitCode)).toEqual([code]);
    expect(await jettons(ALICE)).toBe(toNano(100));
  });

  const op = (id: number) => beginCell().storeUint(id, 32).storeUint(0, 64);
  const received = () => op(0x178d4519).storeCoins(1).storeAddress(BOB).storeAddress(null).storeCoins(0);
  it.each([
    ['jettons', received().storeBit(false).endCell(), 707],
    [
      'a withdrawal',
      op(LIQUID_OP.addWithdrawal).storeUint(0, 32).storeCoins(1).storeAddress(null).endCell(),
      73,
    ],
    [
      'the collection of withdrawals',
      op(LIQUID_OP.takeWithdrawals).storeUint(9, 32).storeAddress(null).endCell(),
      73,
    ],
  ])('takes %s from its pool alone', async (_, body, code) => {
    for (const from of [ALICE, BOB, on.walletOf(MEMBERS[2]!)])
      expect(codes(await toWallet(from, body))[0]).toBe(code);
  });

  it('asks the pool for enough to burn', async () => {
    const burn = jettonBurnBody({ amount: toNano(1), response: ALICE });
    expect(codes(await toWallet(on.address, burn, '0.055'))).toEqual([707, 0]);
    expect(codes(await toWallet(on.address, burn, '0.057'))).toEqual([0, 0, 0]);
    expect(await pending(ALICE)).toEqual([[0, toNano(1)]]);
  });

  it('has back what could not be delivered', async () => {
    const bounced = (id: number) => beginCell().storeUint(0xffffffff, 32).storeUint(id, 32).storeUint(0, 64);
    const value = toNano('0.01');
    for (const id of [0x178d4519, 0x7bdd97de]) {
      const body = bounced(id).storeCoins(toNano(1)).endCell();
      const { steps } = await on.send({
        from: on.address,
        to: on.walletOf(ALICE),
        value,
        body,
        bounced: true,
      });
      expect(steps.map(each => each.exitCode)).toEqual([0]);
    }
    expect(await jettons(ALICE)).toBe(toNano(102));
  });
});

it('a deposit that could not be credited leaves no jettons', async () => {
  await deposit(ALICE, '100');
  const body = beginCell()
    .storeUint(0xffffffff, 32)
    .storeUint(0x178d4519, 32)
    .storeUint(0, 64)
    .storeCoins(toNano(10))
    .endCell();
  await on.send({ from: on.walletOf(BOB), value: toNano('0.1'), body, bounced: true });
  expect(await status()).toMatchObject({ supply: toNano(90), balance: toNano(100) });
});
