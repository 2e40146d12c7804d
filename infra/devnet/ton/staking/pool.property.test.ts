import { type Address, beginCell, comment, toNano } from '@ton/core';
import fc from 'fast-check';
import type { StakeOfMember } from '../../../../contracts/chain/ton-staking';
import type { StakeTransaction } from '../../../../projections/ton/stakes/queries';
import { movementsOf } from '../../../../services/staking/nominator/movements';
import { profitUpTo } from '../../../../services/staking/nominator/profits';
import {
  CONTROLLER,
  OWNER,
  PROXY,
  type PoolOnTvm,
  addressOf,
  poolOnTvm,
} from '../../../../test/devnet/nominator-pool';
import { runs } from '../../../../test/random';
import { ROUND } from '../elections/schedule';
import {
  OP,
  acceptStakesBody,
  acceptWithdrawsBody,
  depositBody,
  donationBody,
  stakeRecoverBody,
  stakeSendBody,
  withdrawBody,
  type MemberFunds,
} from './staking';

const NAMES = ['owner', 'alice', 'bob', 'carol', 'dave'] as const;
const ADDRESSES = NAMES.map(name => (name === 'owner' ? OWNER : addressOf(name)));
const KEYS = ADDRESSES.map((address, i) => (i === 0 ? 0n : BigInt(`0x${address.hash.toString('hex')}`)));
const FEES = toNano('0.2');
const P = 10n ** 13n;
const FEE = 1_000n;

/** Rounds down, below zero too. */
function floor(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  return numerator % denominator < 0n ? quotient - 1n : quotient;
}

/** A pool by its rules alone, apart from the contract. */
class PoolModel {
  perCoin = 0n;
  balance = 0n;
  isLocked = false;
  sent = 0n;
  /** What each has earned. */
  readonly earned = NAMES.map(() => 0n);
  readonly members = NAMES.map(() => ({
    since: 0n,
    balance: 0n,
    asked: 0n,
    asksAll: false,
    pending: 0n,
    ready: 0n,
  }));

  /** Brings what a member has up to date, which rounds it down. */
  touch(i: number) {
    const member = this.members[i]!;
    member.balance = floor((P + this.perCoin) * member.balance, P + member.since);
    member.since = this.perCoin;
    if (member.asksAll || member.asked > member.balance) member.asked = member.balance;
    return member;
  }

  view(i: number) {
    const { balance, asked, asksAll, pending, ready, since } = this.members[i]!;
    const now = floor((P + this.perCoin) * balance, P + since);
    return {
      balance: now,
      pendingDeposit: pending,
      pendingWithdraw: asksAll || asked > now ? now : asked,
      withdraw: ready,
    };
  }

  reduce(taken: bigint): void {
    this.balance = taken > this.balance ? 0n : this.balance - taken;
  }

  deposit(i: number, stake: bigint): void {
    const member = this.touch(i);
    member.pending += stake;
    member.asked = 0n;
    member.asksAll = false;
  }

  withdraw(i: number, amount: bigint): boolean {
    const current = this.view(i);
    const all = current.balance + current.pendingDeposit + current.withdraw;
    if (amount > all) return false;
    const member = this.touch(i);
    let rest = amount === 0n ? all : amount;
    const takeFrom = (available: bigint): bigint => {
      const taken = rest < available ? rest : available;
      rest -= taken;
      return taken;
    };
    member.pending -= takeFrom(member.pending);
    member.ready -= takeFrom(member.ready);
    if (!this.isLocked) {
      const taken = takeFrom(member.balance);
      member.balance -= taken;
      this.reduce(taken);
    }
    member.asked = rest;
    member.asksAll = amount === 0n && rest > 0n;
    return true;
  }

  acceptAll(): void {
    for (const i of NAMES.keys()) {
      const member = this.touch(i);
      this.reduce(member.asked);
      member.balance -= member.asked;
      member.ready += member.asked;
      member.asked = 0n;
      member.asksAll = false;
    }
    for (const member of this.members) {
      this.balance += member.pending;
      member.balance += member.pending;
      member.pending = 0n;
    }
  }

  distribute(profit: bigint): void {
    const before = NAMES.map((_, i) => this.view(i).balance);
    this.share(profit);
    for (const i of NAMES.keys()) this.earned[i]! += this.view(i).balance - before[i]!;
  }

  private share(profit: bigint): void {
    const owner = this.touch(0);
    const share =
      profit < 0n
        ? floor(profit * P, this.balance)
        : floor(profit * P * (10_000n - FEE), this.balance * 10_000n);
    const ofNominators = floor((this.balance - owner.balance) * share, P);
    owner.balance += profit - ofNominators;
    this.perCoin = floor((P + this.perCoin) * (P + share), P) - P;
    owner.since = this.perCoin;
    this.balance += profit;
  }
}

const amount = fc.bigInt(1n, 10n ** 13n);
const member = fc.nat(NAMES.length - 1);
const isText = fc.boolean();
const act = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('deposit' as const), member, amount, isText }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('withdraw' as const),
      member,
      amount: fc.oneof(fc.constant(0n), amount),
      isText,
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('donate' as const), member, amount, isText }) },
);
const round = fc.record({
  before: fc.array(act, { maxLength: 3 }),
  during: fc.array(act, { maxLength: 3 }),
  /** Of what is staked, in millionths. */
  profit: fc.oneof(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: -300_000, max: 0 })),
});

type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

const send = async (
  on: PoolOnTvm,
  from: Address,
  value: bigint,
  body: Parameters<PoolOnTvm['send']>[0]['body'],
) => (await on.send({ from, value, ...(body && { body }) })).exitCode;

/** What each member sees in its own transactions: what it has asked, and the receipts. */
type Seen = readonly StakeTransaction[][];

const FEES_OF_POOL = { depositFee: String(toNano('0.1')), receiptPrice: String(toNano('0.1')) };
let queries = 0;

/** Sends a request of a member, and notes what the member sees of it. */
async function ask(
  on: PoolOnTvm,
  seen: Seen,
  { type, member: i, isText }: Act & { readonly type: 'deposit' | 'withdraw' },
  { value, amount: coins }: { readonly value: bigint; readonly amount: bigint },
): Promise<number> {
  const [from, queryId] = [ADDRESSES[i]!, BigInt(++queries)];
  // A text withdraws all.
  const asText = isText && (type === 'deposit' || coins === 0n);
  const binary = type === 'deposit' ? depositBody(queryId) : withdrawBody(coins, queryId);
  const body = asText ? comment(type === 'deposit' ? 'Deposit' : 'Withdraw') : binary;
  const { exitCode, lt, sent } = await on.send({ from, value, body });
  const pool = on.pool.address.toRawString();
  const request = {
    pool,
    message: `request ${queryId}`,
    type,
    value: String(value),
    trigger: asText ? ('comment' as const) : ('payload' as const),
    queryId: asText ? null : String(queryId),
  };
  const trace =
    exitCode === 0
      ? []
      : [{ lt: String(lt - 1n), time: 0, requests: [], answer: refusal(pool, request, lt) }];
  seen[i]!.push({ lt: String(lt - 1n), time: 0, requests: [request], answer: null }, ...trace);
  for (const { info } of sent) {
    if (info.type !== 'internal') throw new Error('not a receipt');
    const receipt = {
      pool,
      message: `receipt ${queryId}`,
      type,
      queryId: request.queryId,
      refused: false,
      value: String(info.value.coins),
      fwdFee: String(info.forwardFee),
      createdLt: String(info.createdLt),
      createdAt: info.createdAt,
    };
    seen[i]!.push({ lt: String(info.createdLt + 1n), time: 0, requests: [], answer: receipt });
  }
  return exitCode;
}

/** The value of a request that came back. */
const refusal = (
  pool: string,
  {
    type,
    queryId,
    value,
  }: { readonly type: 'deposit' | 'withdraw'; readonly queryId: string | null; readonly value: string },
  lt: bigint,
): NonNullable<StakeTransaction['answer']> => ({
  pool,
  message: `bounce ${lt}`,
  type,
  queryId,
  refused: true,
  value,
  fwdFee: '0',
  createdLt: String(lt + 1n),
  createdAt: 0,
});

async function perform(on: PoolOnTvm, model: PoolModel, seen: Seen, act: Act): Promise<void> {
  const { type, member: i, amount: coins } = act;
  if (type === 'deposit') {
    const stake = coins + toNano(1);
    expect(await ask(on, seen, { ...act, type }, { value: stake + FEES, amount: 0n })).toBe(0);
    model.deposit(i, stake);
  } else if (type === 'withdraw') {
    const done = model.withdraw(i, coins);
    expect(await ask(on, seen, { ...act, type }, { value: FEES, amount: coins })).toBe(done ? 0 : 77);
  } else {
    const isPossible = model.balance > 0n;
    expect(await send(on, ADDRESSES[i]!, coins + toNano(2), donationBody())).toBe(isPossible ? 0 : 4);
    if (isPossible) model.distribute(coins + toNano(1));
  }
}

const texts = (funds: MemberFunds): StakeOfMember =>
  Object.fromEntries(Object.entries(funds).map(([name, coins]) => [name, String(coins)])) as StakeOfMember;

/** What the transactions of a member and its stake say, is what the pool has given it. */
async function expectProfits(on: PoolOnTvm, model: PoolModel, seen: Seen): Promise<void> {
  for (const [i, address] of ADDRESSES.entries()) {
    // The pool tells nothing of its owner under its address.
    if (i === 0) continue;
    const { movements, open } = movementsOf(seen[i]!, () => null, FEES_OF_POOL);
    const stake = texts(await on.pool.getMember(address));
    expect([NAMES[i], open, profitUpTo(stake, movements)]).toEqual([NAMES[i], [], model.earned[i]]);
  }
}

async function expectEqual(on: PoolOnTvm, model: PoolModel): Promise<void> {
  const listed = await on.pool.getMembers();
  const zeros = { balance: 0n, pendingDeposit: 0n, pendingWithdraw: 0n, withdraw: 0n };
  for (const [i, address] of ADDRESSES.entries()) {
    const expected = model.view(i);
    if (i > 0) expect([NAMES[i], await on.pool.getMember(address)]).toEqual([NAMES[i], expected]);
    expect([NAMES[i], listed.get(address.toRawString()) ?? zeros]).toEqual([NAMES[i], expected]);
  }
  const { balance } = await on.pool.getPoolStatus();
  expect(balance).toBe(model.balance);
}

async function acceptAll(on: PoolOnTvm, model: PoolModel): Promise<void> {
  expect(await send(on, CONTROLLER, toNano(5), acceptWithdrawsBody(KEYS))).toBe(0);
  expect(await send(on, CONTROLLER, toNano(5), acceptStakesBody(KEYS))).toBe(0);
  model.acceptAll();
}

const KEY = Buffer.alloc(32, 7);
const elector = (op: number) => beginCell().storeUint(op, 32).storeUint(1, 64).endCell();

/** Stakes all that the pool has. */
async function lock(on: PoolOnTvm, model: PoolModel): Promise<void> {
  const candidate = { publicKey: KEY, stakeAt: on.nextRound(), maxFactor: 3 << 16, adnl: KEY };
  const body = stakeSendBody(model.balance, candidate, Buffer.alloc(64));
  expect(await send(on, CONTROLLER, toNano(2), body)).toBe(0);
  expect(await send(on, PROXY, toNano(1), elector(OP.stakeAccepted))).toBe(0);
  model.sent = model.balance;
  model.isLocked = true;
}

async function unlock(on: PoolOnTvm, model: PoolModel, stakeAt: number, millionths: number): Promise<void> {
  const profit = floor(model.sent * BigInt(millionths), 1_000_000n);
  on.moveTo(on.recoverableAt(stakeAt));
  expect(await send(on, CONTROLLER, toNano(2), stakeRecoverBody())).toBe(0);
  expect(await send(on, PROXY, model.sent + toNano(2) + profit, elector(OP.stakeRecovered))).toBe(0);
  model.isLocked = false;
  model.sent = 0n;
  model.distribute(profit);
}

it('has for each member what the rules give, to the nanoton, after any rounds, deposits, withdrawals, donations and losses', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 2, maxLength: 4 }), async rounds => {
      const on = await poolOnTvm();
      const model = new PoolModel();
      const seen: Seen = NAMES.map(() => []);
      for (const { before, during, profit } of rounds) {
        for (const each of before) await perform(on, model, seen, each);
        await acceptAll(on, model);
        await expectEqual(on, model);
        await expectProfits(on, model, seen);
        // Of what rounding has left a loss may be all, and nothing can be shared out after that.
        if (model.balance < toNano(1)) continue;
        const stakeAt = on.nextRound();
        await lock(on, model);
        for (const each of during) await perform(on, model, seen, each);
        await unlock(on, model, stakeAt, profit);
        await expectEqual(on, model);
        await expectProfits(on, model, seen);
        on.moveTo(on.nextRound() - ROUND.endBefore - 1_000);
      }
    }),
    runs(6),
  );
});
