import { toNano } from '@ton/core';
import fc from 'fast-check';
import {
  type LiquidOutcome,
  type LiquidPoolOnTvm,
  MEMBERS,
  liquidPoolOnTvm,
} from '../../../../../test/devnet/liquid-pool';
import { CONTROLLER } from '../../../../../test/devnet/nominator-pool';
import { runs } from '../../../../../test/random';
import { ROUND } from '../../elections/schedule';
import { jettonTransferBody } from '../../jetton/jetton';
import {
  type ProxyIndex,
  finalizeStakeBody,
  liquidCollectBody,
  liquidDepositBody,
  liquidWithdrawBody,
} from './liquid';

const FEES = toNano('0.2');
const MIN_STAKE = toNano('49.8');
const RESERVE = toNano(1);
/** Hundredths of a percent. */
const FEE = 1_000n;
const BILLION = 1_000_000_000n;

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** A liquid pool and its wallets by their rules alone, apart from the contracts. */
class LiquidModel {
  round = 0;
  supply = 0n;
  balance = 0n;
  pending = 0n;
  ready = 0n;
  readonly stakes: { sent: bigint; stakeAt: number }[] = [
    { sent: 0n, stakeAt: 0 },
    { sent: 0n, stakeAt: 0 },
  ];
  readonly members = MEMBERS.map(() => ({ jettons: 0n, owed: new Map<number, bigint>() }));

  get sent(): bigint {
    return this.stakes[0]!.sent + this.stakes[1]!.sent;
  }

  get free(): bigint {
    return this.balance + this.pending - this.sent;
  }

  worth(jettons: bigint): bigint {
    return this.supply === 0n ? jettons : (jettons * this.balance) / this.supply;
  }

  price(tons: bigint): bigint {
    if (this.supply === 0n) return tons;
    return this.balance === 0n ? 0n : (tons * this.supply) / this.balance;
  }

  setAside(): void {
    const amount = this.free < 0n ? 0n : min(this.pending, this.free);
    this.pending -= amount;
    this.ready += amount;
  }

  deposit(i: number, tons: bigint): boolean {
    const jettons = this.price(tons);
    if (jettons === 0n) return false;
    this.members[i]!.jettons += jettons;
    this.supply += jettons;
    this.balance += tons;
    return true;
  }

  burn(i: number, asked: bigint): boolean {
    const member = this.members[i]!;
    const jettons = asked === 0n ? member.jettons : asked;
    if (jettons === 0n || jettons > member.jettons) return false;
    const owed = this.worth(jettons);
    member.jettons -= jettons;
    this.supply -= jettons;
    this.balance -= owed;
    this.pending += owed;
    this.owe(i, this.round, owed);
    return true;
  }

  owe(i: number, round: number, tons: bigint): void {
    const { owed } = this.members[i]!;
    owed.set(round, (owed.get(round) ?? 0n) + tons);
  }

  /** @param coins nanotons that the pool has. Returns what is paid; null when it is refused. */
  collect(i: number, coins: bigint): bigint | null {
    const { owed } = this.members[i]!;
    const due = [...owed.keys()].filter(round => round <= this.round - 3).sort((a, b) => b - a);
    if (due.length === 0) return 0n;
    const taken = due.slice(0, 10);
    const sum = taken.reduce((total, round) => total + owed.get(round)!, 0n);
    for (const round of taken) owed.delete(round);
    const [pendingBefore, readyBefore] = [this.pending, this.ready];
    this.setAside();
    if (sum > min(this.ready, coins)) {
      [this.pending, this.ready] = [pendingBefore, readyBefore];
      this.owe(i, this.round - 3, sum);
      return null;
    }
    this.ready -= sum;
    return sum;
  }

  recover(proxy: ProxyIndex, profit: bigint): void {
    const shared = profit > 0n ? (profit * (10_000n - FEE)) / 10_000n : profit;
    this.balance = this.balance + shared < 0n ? 0n : this.balance + shared;
    this.stakes[proxy] = { sent: 0n, stakeAt: 0 };
    this.setAside();
  }
}

const member = fc.nat(MEMBERS.length - 1);
const tons = fc.bigInt(0n, 10n ** 14n);
/** Of what a member has, in thousandths; 0 is all, and above a thousand more than all. */
const share = fc.oneof(fc.constant(0n), fc.bigInt(1n, 1_100n));
const act = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('deposit' as const), member, tons }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('burn' as const), member, share }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('collect' as const), member }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('transfer' as const), member, to: member, share }) },
);
const acts = fc.array(act, { maxLength: 3 });
const round = fc.record({
  /** Since the last one. */
  rounds: fc.integer({ min: 1, max: 3 }),
  before: acts,
  during: acts,
  /** Of what can be staked, in thousandths. */
  staked: fc.bigInt(1n, 1_000n),
  /** Of a stake, in millionths. */
  profit: fc.oneof(fc.bigInt(0n, 2_000n), fc.bigInt(-300_000n, 0n)),
});

type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;
type Round = typeof round extends fc.Arbitrary<infer T> ? T : never;

const codes = ({ steps }: LiquidOutcome): number[] => steps.map(({ exitCode }) => exitCode);
const isDone = (outcome: LiquidOutcome): boolean => codes(outcome).every(code => code === 0);

async function perform(on: LiquidPoolOnTvm, model: LiquidModel, step: Act): Promise<void> {
  const i = step.member;
  const from = MEMBERS[i]!;
  const amountOf = (thousandths: bigint): bigint => (model.members[i]!.jettons * thousandths) / 1_000n;
  if (step.type === 'deposit') {
    const amount = step.tons + MIN_STAKE;
    const body = liquidDepositBody({ amount, response: from });
    const outcome = await on.send({ from, value: amount + FEES, body });
    expect(isDone(outcome)).toBe(model.deposit(i, amount));
  } else if (step.type === 'burn') {
    const jettons = amountOf(step.share);
    const body = liquidWithdrawBody({ jettons, response: from });
    expect(isDone(await on.send({ from, value: FEES, body }))).toBe(model.burn(i, jettons));
  } else if (step.type === 'collect') {
    const coins = (await on.balanceOf(on.address)) + toNano('0.1') - RESERVE;
    const outcome = await on.send({ from, value: FEES, body: liquidCollectBody({ response: from }) });
    if (model.round < 3) return expect(codes(outcome)).toEqual([72]);
    const paid = model.collect(i, coins);
    const [first] = outcome.sent.map(({ info }) => (info.type === 'internal' ? info.value.coins : 0n));
    if (paid === null) expect(codes(outcome)).toEqual([0, 0, 77, 0]);
    else if (paid > 0n) expect(first).toBe(paid);
  } else {
    const { jettons } = model.members[i]!;
    const amount = min(amountOf(step.share), jettons);
    if (amount === 0n) return;
    const to = MEMBERS[step.to]!;
    const body = jettonTransferBody({ to, amount, response: from, forwardValue: 0n });
    expect(isDone(await on.send({ from, to: on.walletOf(from), value: FEES, body }))).toBe(true);
    model.members[i]!.jettons -= amount;
    model.members[step.to]!.jettons += amount;
  }
}

async function expectEqual(on: LiquidPoolOnTvm, model: LiquidModel): Promise<void> {
  expect(await on.pool.getPoolStatus()).toMatchObject({
    rateDeposit: model.price(BILLION),
    rateWithdraw: model.worth(BILLION),
    roundId: model.round,
    supply: model.supply,
    balance: model.balance,
    sent: model.sent,
    pendingWithdraw: model.pending,
    withdraw: model.ready,
  });
  for (const [i, owner] of MEMBERS.entries()) {
    const wallet = on.walletFor(owner);
    if ((await on.balanceOf(wallet.address)) === 0n) continue;
    const { jettons, owed } = model.members[i]!;
    expect((await wallet.getWalletData()).balance).toBe(jettons);
    expect([...(await wallet.getPendingWithdrawals())]).toEqual([...owed].sort(([a], [b]) => a - b));
    expect(await on.pool.getTonBalance(jettons)).toBe(model.worth(jettons));
  }
}

async function recoverAll(on: LiquidPoolOnTvm, model: LiquidModel, millionths: bigint): Promise<void> {
  const validatedBefore = on.nextRound() - 2 * ROUND.electedFor;
  for (const proxy of [0, 1] as const) {
    const { sent, stakeAt } = model.stakes[proxy]!;
    if (sent === 0n || stakeAt > validatedBefore) continue;
    const profit = (sent * millionths) / 1_000_000n;
    const finalize = finalizeStakeBody(proxy);
    expect(codes(await on.send({ from: CONTROLLER, value: toNano('0.2'), body: finalize }))).toEqual([0]);
    expect(codes(await on.recover(proxy))).toEqual([0]);
    expect(codes(await on.giveBack(proxy, sent + profit))).toEqual([0]);
    model.recover(proxy, profit);
  }
}

async function stake(on: LiquidPoolOnTvm, model: LiquidModel, thousandths: bigint): Promise<void> {
  const proxy: ProxyIndex = model.round & 1 ? 1 : 0;
  // What is owed comes first.
  const free = model.free - model.pending;
  const amount = free > 0n ? (free * thousandths) / 1_000n : 0n;
  expect(codes(await on.stake(amount))).toEqual([amount === 0n ? 77 : 0]);
  if (amount === 0n) return;
  model.setAside();
  expect(codes(await on.answerStake(proxy))).toEqual([0]);
  model.stakes[proxy] = { sent: amount, stakeAt: on.nextRound() };
}

async function run(on: LiquidPoolOnTvm, model: LiquidModel, each: Round): Promise<void> {
  // When the stake of the last but one can be recovered: somewhat after the election has opened.
  on.moveTo(on.nextRound() + each.rounds * ROUND.electedFor - ROUND.startBefore + 300);
  expect(codes(await on.startRound())).toEqual([0]);
  model.round += model.round ? each.rounds : 1;
  model.setAside();
  await recoverAll(on, model, each.profit);
  await expectEqual(on, model);
  for (const step of each.before) await perform(on, model, step);
  await expectEqual(on, model);
  await stake(on, model, each.staked);
  for (const step of each.during) await perform(on, model, step);
  await expectEqual(on, model);
}

it('has the prices, balances and debts by round that the rules give, to the nanoton, after any deposits, burns, transfers, collections, rounds and losses', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 4, maxLength: 7 }), async rounds => {
      const on = await liquidPoolOnTvm();
      const model = new LiquidModel();
      for (const each of rounds) await run(on, model, each);
    }),
    runs(6),
  );
});
