import { Address, type Cell, type Message, beginCell, comment, toNano } from '@ton/core';
import {
  CONTROLLER,
  OWNER,
  type Outcome,
  POOL,
  PROXY,
  type PoolOnTvm,
  addressOf,
  contractOnTvm,
  poolOnTvm,
} from '../../../../test/devnet/nominator-pool';
import { ROUND } from '../elections/schedule';
import { POOL_CODE } from './code';
import {
  type Candidate,
  OP,
  acceptStakesBody,
  acceptWithdrawsBody,
  changeAddressBody,
  depositBody,
  donationBody,
  finalizeLockBody,
  forceKickBody,
  masterchainProxy,
  stakeRecoverBody,
  stakeSendBody,
  updateBody,
  upgradeBody,
  withdrawBody,
  withdrawUnownedBody,
} from './staking';

const [ALICE, BOB] = [addressOf('alice'), addressOf('bob')];
const ELECTOR = Address.parseRaw(`-1:${'3'.repeat(64)}`);
const keyOf = (address: Address): bigint => BigInt(`0x${address.hash.toString('hex')}`);
const FEES = toNano('0.2');
const NOTHING = { balance: 0n, pendingDeposit: 0n, pendingWithdraw: 0n, withdraw: 0n };

let on: PoolOnTvm;
beforeEach(async () => {
  on = await poolOnTvm();
});

const send = (from: Address, value: string | bigint, body?: Cell): Promise<Outcome> =>
  on.send({ from, value: typeof value === 'bigint' ? value : toNano(value), ...(body && { body }) });
const exitCode = async (...sent: Parameters<typeof send>): Promise<number> => (await send(...sent)).exitCode;
const deposit = (from: Address, stake: string): Promise<Outcome> =>
  send(from, toNano(stake) + FEES, depositBody());
const withdraw = (from: Address, amount: string): Promise<Outcome> =>
  send(from, FEES, withdrawBody(toNano(amount)));
const accept = (...members: Address[]): Promise<number> =>
  exitCode(CONTROLLER, '5', acceptStakesBody(members.map(keyOf)));
const acceptWithdraws = (...members: Address[]): Promise<number> =>
  exitCode(CONTROLLER, '5', acceptWithdrawsBody(members.map(keyOf)));

/** What one message says: its value, whether it bounces, and its text or its operation and query. */
function read({ info, body }: Message) {
  if (info.type !== 'internal') throw new Error('not internal');
  const slice = body.beginParse();
  const op = slice.loadUint(32);
  return {
    to: info.dest.toRawString(),
    value: info.value.coins,
    bounce: info.bounce,
    says: op === 0 ? slice.loadStringTail() : ([op, slice.loadUintBig(64)] as const),
  };
}

const KEY = Buffer.alloc(32, 7);
const candidateAt = (stakeAt: number): Candidate => ({
  publicKey: KEY,
  stakeAt,
  maxFactor: 3 << 16,
  adnl: KEY,
});
const stakeSend = (stake: string, stakeAt = on.nextRound(), value = '2', queryId = 5n): Promise<Outcome> =>
  send(CONTROLLER, value, stakeSendBody(toNano(stake), candidateAt(stakeAt), Buffer.alloc(64), queryId));
const answer = (op: number, queryId = 5n, value = '1'): Promise<Outcome> =>
  send(PROXY, value, beginCell().storeUint(op, 32).storeUint(queryId, 64).storeUint(0, 32).endCell());

/** Locks the pool, and moves the clock to when the stake may be recovered. Returns the start of its round. */
async function validate(stake: string): Promise<number> {
  const stakeAt = on.nextRound();
  expect((await stakeSend(stake)).exitCode).toBe(0);
  expect((await answer(OP.stakeAccepted)).exitCode).toBe(0);
  on.moveTo(on.recoverableAt(stakeAt));
  return stakeAt;
}

describe('a new pool', () => {
  it('has the public defaults, and no funds', async () => {
    const { pool } = on;
    const tenth = toNano('0.1');
    expect(await pool.getParams()).toEqual({
      enabled: true,
      updatesEnabled: true,
      minStake: toNano(1),
      depositFee: tenth,
      withdrawFee: tenth,
      poolFee: 1_000n,
      receiptPrice: tenth,
    });
    expect(await pool.getPoolStatus()).toEqual({
      balance: 0n,
      sent: 0n,
      pendingDeposits: 0n,
      pendingWithdraw: 0n,
      withdraw: 0n,
    });
    expect(await pool.getStakingStatus()).toEqual({
      stakeAt: 0,
      liftAt: 0,
      sent: 0n,
      querySent: false,
      canUnlock: false,
      locked: false,
      lockFinal: false,
    });
    expect((await pool.getMembers()).size).toBe(0);
    expect(await pool.getMembersRaw()).toBeNull();
    expect([await pool.getOwner(), await pool.getController(), await pool.getProxy()].map(String)).toEqual(
      [OWNER, CONTROLLER, PROXY].map(String),
    );
    expect(await pool.getUnowned()).toBe(0n);
    expect(await pool.getSupportedInterfaces()).toEqual([
      123515602279859691144772641439386770278n,
      256184278959413194623484780286929323492n,
    ]);
  });
});

describe('messages that it refuses', () => {
  it.each([
    ['an unknown text', ALICE, '1', comment('Stake'), 72],
    ['a command in lower case', ALICE, '1', comment('deposit'), 72],
    ['no body', ALICE, '1', undefined, 72],
    [
      'an unknown operation',
      ALICE,
      '1',
      beginCell().storeUint(0x12345678, 32).storeUint(1, 64).storeCoins(0).endCell(),
      72,
    ],
    ['a query without an id', ALICE, '10', depositBody(0n), 72],
    ['less than a tenth of a TON', ALICE, '0.099', comment('Withdraw'), 72],
    ['one from the masterchain', new Address(-1, Buffer.alloc(32, 1)), '10', comment('Deposit'), 70],
    ['a text of the controller', CONTROLLER, '10', comment('Deposit'), 72],
    ['an operation of the controller from a stranger', ALICE, '5', acceptStakesBody([]), 73],
    ['an operation of the controller from the owner', OWNER, '5', acceptWithdrawsBody([]), 73],
    ['an operation of the owner from a stranger', ALICE, '5', upgradeBody(POOL_CODE), 73],
    ['the command of the owner from a stranger', ALICE, '1', comment('Unowned'), 73],
    ['an operation of the owner from the controller', CONTROLLER, '5', withdrawUnownedBody(), 72],
    ['a donation that is too small', ALICE, '1.99', comment('Airdrop'), 76],
    ['an acceptance that is too small', CONTROLLER, '4.99', acceptStakesBody([]), 76],
  ] as const)('%s', async (_, from, value, body, code) => {
    expect(await exitCode(from, value, body)).toBe(code);
  });

  it('a message that ran out of the gas that it allows', async () => {
    const body = beginCell().storeUint(OP.deposit, 32).storeUint(1, 64).storeCoins(1_000).endCell();
    expect(await exitCode(ALICE, '10', body)).toBe(-14);
  });
});

describe('deposits', () => {
  it('are pending until the controller accepts them, with a receipt', async () => {
    const [receipt] = (await deposit(ALICE, '10')).sent.map(read);
    expect(receipt).toMatchObject({ to: ALICE.toRawString(), bounce: false, says: [OP.depositResponse, 1n] });
    // Its transport is paid out of the price of the receipt.
    expect(receipt!.value).toBeGreaterThan(toNano('0.099'));
    expect(receipt!.value).toBeLessThan(toNano('0.1'));
    expect(await on.pool.getMember(ALICE)).toEqual({ ...NOTHING, pendingDeposit: toNano(10) });
    expect(await on.pool.getPoolStatus()).toMatchObject({ balance: 0n, pendingDeposits: toNano(10) });
    expect(await accept(ALICE, BOB)).toBe(0);
    expect(await on.pool.getMember(ALICE)).toEqual({ ...NOTHING, balance: toNano(10) });
    expect(await on.pool.getPoolStatus()).toMatchObject({ balance: toNano(10), pendingDeposits: 0n });
    expect(await on.pool.getAvailable()).toBe(toNano(10));
  });

  it.each([
    ['100.25', 'Stake 100.50000000 accepted'],
    ['100.2', 'Stake 100.0 accepted'],
    ['1.2', 'Stake 1.0 accepted'],
    ['1234.200000007', 'Stake 1234.7 accepted'],
  ])('by text: %s TON are "%s"', async (value, says) => {
    const { sent } = await send(ALICE, value, comment('Deposit'));
    expect(sent.map(read)).toMatchObject([{ says, bounce: false }]);
  });

  it('have a minimum, and are refused by a pool that is not enabled', async () => {
    expect(await exitCode(ALICE, toNano(1) + FEES - 1n, comment('Deposit'))).toBe(77);
    expect(await exitCode(ALICE, toNano(1) + FEES, comment('Deposit'))).toBe(0);
    const params = await on.pool.getParams();
    expect(await exitCode(OWNER, '1', updateBody({ ...params, enabled: false }))).toBe(0);
    expect(await exitCode(ALICE, '10', comment('Deposit'))).toBe(72);
    expect(await exitCode(ALICE, FEES, comment('Withdraw'))).toBe(0);
  });

  it('cancel a pending withdrawal', async () => {
    await deposit(ALICE, '10');
    await accept(ALICE);
    await stakeSend('10');
    await withdraw(ALICE, '4');
    expect(await on.pool.getPoolStatus()).toMatchObject({ pendingWithdraw: toNano(4) });
    await deposit(ALICE, '1');
    expect(await on.pool.getMember(ALICE)).toEqual({
      ...NOTHING,
      balance: toNano(10),
      pendingDeposit: toNano(1),
    });
    expect(await on.pool.getPoolStatus()).toMatchObject({ pendingWithdraw: 0n });
  });

  it('of the owner are under no address', async () => {
    await deposit(OWNER, '10');
    expect(await exitCode(CONTROLLER, '5', acceptStakesBody([0n]))).toBe(0);
    expect(await on.pool.getMember(OWNER)).toEqual(NOTHING);
    expect([...(await on.pool.getMembers())]).toEqual([
      [OWNER.toRawString(), { ...NOTHING, balance: toNano(10) }],
    ]);
  });
});

describe('withdrawals', () => {
  beforeEach(async () => {
    await deposit(ALICE, '10');
    await accept(ALICE);
  });

  it('cost exactly the fee and the receipt', async () => {
    for (const off of [-1n, 1n]) expect(await exitCode(ALICE, FEES + off, withdrawBody(0n))).toBe(76);
    expect(await exitCode(ALICE, FEES, withdrawBody(toNano(10) + 1n))).toBe(77);
  });

  it('are paid at once by a pool that is not locked, and who has nothing left is no member', async () => {
    const some = (await withdraw(ALICE, '4')).sent.map(read);
    expect(some).toMatchObject([{ says: [OP.withdrawResponse, 1n], bounce: false, to: ALICE.toRawString() }]);
    expect(some[0]!.value).toBeGreaterThan(toNano('4.099'));
    expect(some[0]!.value).toBeLessThan(toNano('4.1'));
    const all = (await send(ALICE, FEES, comment('Withdraw'))).sent.map(read);
    expect(all).toMatchObject([{ says: 'Withdraw completed' }]);
    expect(all[0]!.value).toBeGreaterThan(toNano('6.099'));
    expect(await on.pool.getMembersRaw()).toBeNull();
  });

  it('of what is staked are pending, then ready, then paid', async () => {
    await stakeSend('10');
    await answer(OP.stakeAccepted);
    const asked = (await withdraw(ALICE, '4')).sent.map(read);
    expect(asked).toMatchObject([{ says: [OP.withdrawDelayed, 1n] }]);
    expect(asked[0]!.value).toBeLessThan(toNano('0.1'));
    expect((await send(ALICE, FEES, comment('Withdraw'))).sent.map(read)).toMatchObject([
      { says: 'Withdraw requested. Please, retry the command when your balance is ready.' },
    ]);
    expect(await on.pool.getMember(ALICE)).toMatchObject({ pendingWithdraw: toNano(10) });
    await withdraw(ALICE, '3');
    expect(await on.pool.getMember(ALICE)).toMatchObject({ balance: toNano(10), pendingWithdraw: toNano(3) });
    expect(await acceptWithdraws(ALICE)).toBe(72);

    on.moveTo(on.recoverableAt(on.nextRound()));
    await send(CONTROLLER, '2', stakeRecoverBody(6n));
    await answer(OP.stakeRecovered, 6n, '12');
    expect((await stakeSend('1')).exitCode).toBe(72);
    expect(await acceptWithdraws(ALICE)).toBe(0);
    expect(await on.pool.getMember(ALICE)).toEqual({ ...NOTHING, balance: toNano(7), withdraw: toNano(3) });
    expect(await on.pool.getPoolStatus()).toMatchObject({
      balance: toNano(7),
      withdraw: toNano(3),
      pendingWithdraw: 0n,
    });
    await stakeSend('7');
    // Of eight, three are ready and none of the rest is free.
    const [paid] = (await withdraw(ALICE, '8')).sent.map(read);
    expect(paid!.value).toBeGreaterThan(toNano('3.099'));
    expect(paid!.says).toEqual([OP.withdrawDelayed, 1n]);
    expect(await on.pool.getMember(ALICE)).toEqual({
      ...NOTHING,
      balance: toNano(7),
      pendingWithdraw: toNano(5),
    });
  });

  it('take a deposit that is pending first, all of it at once though the pool is locked', async () => {
    await stakeSend('10');
    await deposit(ALICE, '5');
    const [paid] = (await withdraw(ALICE, '5')).sent.map(read);
    expect(paid!.says).toEqual([OP.withdrawResponse, 1n]);
    expect(paid!.value).toBeGreaterThan(toNano('5.099'));
    expect(await on.pool.getMember(ALICE)).toEqual({ ...NOTHING, balance: toNano(10) });
  });

  it('of all withdraw the profits that follow, too', async () => {
    await stakeSend('10');
    await withdraw(ALICE, '0');
    await send(BOB, '3', comment('Airdrop'));
    // Of 2 TON of profit the owner has a tenth.
    const balance = toNano('11.8');
    expect(await on.pool.getMember(ALICE)).toEqual({ ...NOTHING, balance, pendingWithdraw: balance });
    await withdraw(ALICE, '1');
    await send(BOB, '3', donationBody());
    expect(await on.pool.getMember(ALICE)).toMatchObject({ pendingWithdraw: toNano(1) });
  });
});

describe('a stake', () => {
  beforeEach(async () => {
    await deposit(ALICE, '1000');
    await accept(ALICE);
  });

  it('goes to the elector by the proxy, with one TON beside it', async () => {
    const stakeAt = on.nextRound();
    const { sent } = await stakeSend('900');
    const [message] = sent.map(read);
    expect(message).toEqual({
      to: PROXY.toRawString(),
      value: toNano(901),
      bounce: true,
      says: [OP.newStake, 5n],
    });
    const fields = sent[0]!.body.beginParse().skip(32 + 64);
    expect([fields.loadBuffer(32), fields.loadUint(32), fields.loadUint(32), fields.loadBuffer(32)]).toEqual([
      KEY,
      stakeAt,
      3 << 16,
      KEY,
    ]);
    expect(fields.loadRef().bits.length).toBe(512);
    expect(await on.pool.getStakingStatus()).toEqual({
      stakeAt,
      liftAt: on.recoverableAt(stakeAt),
      sent: toNano(900),
      querySent: true,
      canUnlock: false,
      locked: true,
      lockFinal: false,
    });
    expect(await on.pool.getAvailable()).toBe(toNano(100));
    expect(await on.pool.getPoolStatus()).toMatchObject({ balance: toNano(1000), sent: toNano(900) });
    expect((await stakeSend('50')).exitCode).toBe(72);
    await answer(OP.stakeAccepted);
    expect(await on.pool.getStakingStatus()).toMatchObject({ querySent: false, locked: true });
    expect((await stakeSend('50')).exitCode).toBe(0);
    expect(await on.pool.getStakingStatus()).toMatchObject({ sent: toNano(950) });
  });

  it.each([
    ['of less than 2 TON of value', '900', 0, '1.99', 76],
    ['of more than there is', '1000.000000001', 0, '2', 77],
    ['of nothing', '0', 0, '2', 77],
    ['for before the end of the present validators', '900', -1, '2', 72],
    ['for more than 72 hours ahead', '900', 4 * ROUND.electedFor, '2', 72],
  ])('%s is refused', async (_, stake, later, value, code) => {
    expect((await stakeSend(stake, on.nextRound() + later, value)).exitCode).toBe(code);
  });

  it.each([
    ['the elector returns', () => answer(OP.stakeReturned, 5n, '900.9')],
    [
      'does not arrive',
      () =>
        on.send({
          from: PROXY,
          value: toNano('900.9'),
          body: beginCell().storeUint(0xffffffff, 32).storeUint(OP.newStake, 32).storeUint(5, 64).endCell(),
          bounced: true,
        }),
    ],
  ])("that %s is the pool's again, which is not locked any more", async (_, back) => {
    await stakeSend('900');
    expect((await back()).exitCode).toBe(0);
    expect(await on.pool.getStakingStatus()).toMatchObject({
      sent: 0n,
      querySent: false,
      locked: false,
      stakeAt: 0,
      liftAt: 0,
    });
    expect(await on.pool.getMember(ALICE)).toEqual({ ...NOTHING, balance: toNano(1000) });
  });

  it('that is returned leaves the pool locked while another is with the elector', async () => {
    await stakeSend('900');
    await answer(OP.stakeAccepted);
    await stakeSend('50', on.nextRound(), '2', 6n);
    await answer(OP.stakeReturned, 6n, '50.9');
    expect(await on.pool.getStakingStatus()).toMatchObject({ sent: toNano(900), locked: true });
  });

  it('needs answers to its own query', async () => {
    await stakeSend('900');
    expect((await answer(OP.stakeAccepted, 4n)).exitCode).toBe(72);
    expect(await on.pool.getStakingStatus()).toMatchObject({ querySent: true });
  });

  it('needs that no withdrawal is pending', async () => {
    await validate('1000');
    await withdraw(ALICE, '1');
    await send(CONTROLLER, '2', stakeRecoverBody(6n));
    await answer(OP.stakeRecovered, 6n, '1002');
    expect((await stakeSend('900')).exitCode).toBe(72);
    await acceptWithdraws(ALICE);
    expect((await stakeSend('900')).exitCode).toBe(0);
  });

  it('is recovered by anyone, 300 seconds after it is given back, once its round is over', async () => {
    const stakeAt = await validate('900');
    on.moveTo(on.now() - 1);
    expect(await on.pool.getStakingStatus()).toMatchObject({ canUnlock: false });
    expect(await exitCode(BOB, '2', comment('Recover'))).toBe(72);
    on.moveTo(on.now() + 1);
    expect(await on.pool.getStakingStatus()).toMatchObject({ stakeAt, canUnlock: true, lockFinal: false });
    expect(await exitCode(BOB, '1.999999999', comment('Recover'))).toBe(76);
    const { sent } = await send(BOB, '2', comment('Recover'));
    const asked = read(sent[0]!);
    expect(asked).toMatchObject({ to: PROXY.toRawString(), says: [OP.recoverStake, BigInt(on.now())] });
    expect(asked.value).toBeGreaterThan(toNano('1.98'));
    expect(await exitCode(BOB, '2', comment('Recover'))).toBe(72);
    expect(await on.pool.getStakingStatus()).toMatchObject({ querySent: true, canUnlock: false });
    // The elector has nothing yet.
    await answer(OP.nothingToRecover, BigInt(on.now()));
    expect(await on.pool.getStakingStatus()).toMatchObject({ sent: toNano(900), locked: true });
    await send(BOB, '2', comment('Recover'));
    await answer(OP.stakeRecovered, BigInt(on.now()), '912');
    expect(await on.pool.getStakingStatus()).toMatchObject({ sent: 0n, locked: false, stakeAt: 0 });
    // 10 TON of profit, of which the pool has a tenth.
    expect(await on.pool.getMember(ALICE)).toEqual({ ...NOTHING, balance: toNano(1009) });
    expect(await exitCode(BOB, '2', comment('Recover'))).toBe(72);
  });

  it('has its end fixed after its round; later, a later set counts', async () => {
    const stakeAt = on.nextRound();
    await stakeSend('900');
    expect(await exitCode(CONTROLLER, '1', finalizeLockBody())).toBe(72);
    await answer(OP.stakeAccepted);
    on.moveTo(stakeAt + ROUND.electedFor - 1);
    expect(await exitCode(CONTROLLER, '1', finalizeLockBody())).toBe(72);
    on.moveTo(stakeAt + 2 * ROUND.electedFor);
    expect(await exitCode(CONTROLLER, '1', finalizeLockBody())).toBe(0);
    expect(await exitCode(CONTROLLER, '1', finalizeLockBody())).toBe(72);
    expect(await on.pool.getStakingStatus()).toMatchObject({
      lockFinal: true,
      canUnlock: false,
      liftAt: on.recoverableAt(stakeAt) + ROUND.electedFor,
    });
    on.moveTo(on.recoverableAt(stakeAt) + ROUND.electedFor);
    expect(await on.pool.getStakingStatus()).toMatchObject({ canUnlock: true });
  });

  it('that comes back with what a caller of Recover added shares that as a profit', async () => {
    await validate('1000');
    await send(BOB, '1000', comment('Recover'));
    await answer(OP.stakeRecovered, BigInt(on.now()), '2000');
    expect(await on.pool.getMember(ALICE)).toMatchObject({
      balance: toNano(1000) + (toNano(998) * 9n) / 10n,
    });
  });
});

describe('profits and losses', () => {
  const locked = async (): Promise<void> => {
    on = await poolOnTvm({ ownStake: 10n ** 14n });
    await send(ALICE, 12345678901234n + FEES, depositBody());
    await send(BOB, 9n * 10n ** 14n - 12345678901234n + FEES, depositBody());
    expect(await accept(ALICE, BOB)).toBe(0);
  };
  const round = async (profit: bigint): Promise<void> => {
    on.moveTo(on.nextRound() - ROUND.endBefore - 1_000);
    await validate('1000000');
    await send(CONTROLLER, '2', stakeRecoverBody(6n));
    const body = beginCell().storeUint(OP.stakeRecovered, 32).storeUint(6, 64).endCell();
    expect(await exitCode(PROXY, 10n ** 15n + toNano(2) + profit, body)).toBe(0);
  };
  const owned = async (): Promise<bigint> => (await on.pool.getMembers()).get(OWNER.toRawString())!.balance;
  /** The first field of the funds, which no get method has. */
  const perCoin = async (): Promise<bigint> => {
    const { state } = await on.provider().getState();
    if (state.type !== 'active') throw new Error(state.type);
    const data = (await import('@ton/core')).Cell.fromBoc(state.data!)[0]!;
    return data.refs[0]!.beginParse().loadIntBig(128);
  };

  it('are shared as the formulas say, to the nanoton', async () => {
    await locked();
    await round(150n * 10n ** 9n);
    expect(await perCoin()).toBe(1_350_000_000n);
    expect(await owned()).toBe(10n ** 14n + 28_500_000_000n);
    expect(await on.pool.getMember(ALICE)).toMatchObject({ balance: 12347345567885n });
    expect(await on.pool.getPoolStatus()).toMatchObject({ balance: 10n ** 15n + 150n * 10n ** 9n });
  });

  it('of two equal rounds are compounded', async () => {
    await locked();
    await round(150n * 10n ** 9n);
    // Of what the pool has now, the same share.
    await send(OWNER, FEES, withdrawBody(28_500_000_000n));
    await send(BOB, FEES, withdrawBody(121_500_000_000n));
    await round(150n * 10n ** 9n);
    expect(await perCoin()).toBe(2_700_182_250n);
  });

  it('below zero have no fee', async () => {
    await locked();
    await round(-7n * 10n ** 9n);
    expect(await perCoin()).toBe(-70_000_000n);
    expect(await owned()).toBe(10n ** 14n - 700_000_000n);
    expect(await on.pool.getMember(ALICE)).toMatchObject({
      balance: (12345678901234n * (10n ** 13n - 70_000_000n)) / 10n ** 13n,
    });
  });

  it('by a donation are value less one TON, and need somebody who has something', async () => {
    expect(await exitCode(BOB, '10', donationBody())).toBe(4);
    await deposit(ALICE, '100');
    await accept(ALICE);
    expect(await exitCode(BOB, '11', donationBody())).toBe(0);
    expect(await on.pool.getMember(ALICE)).toMatchObject({ balance: toNano(109) });
    expect(await owned()).toBe(toNano(1));
  });

  it('leave nobody more to withdraw than they have', async () => {
    await locked();
    on.moveTo(on.nextRound() - ROUND.endBefore - 1_000);
    await validate('1000000');
    await send(ALICE, FEES, withdrawBody(12345678901234n));
    await send(CONTROLLER, '2', stakeRecoverBody(6n));
    const body = beginCell().storeUint(OP.stakeRecovered, 32).storeUint(6, 64).endCell();
    await send(PROXY, 10n ** 15n + toNano(2) - 7n * 10n ** 9n, body);
    const { balance, pendingWithdraw } = await on.pool.getMember(ALICE);
    expect(pendingWithdraw).toBe(balance);
    expect(await acceptWithdraws(ALICE)).toBe(0);
    expect(await on.pool.getMember(ALICE)).toEqual({ ...NOTHING, withdraw: balance });
    expect(await on.pool.getPoolStatus()).toMatchObject({ pendingWithdraw: 0n });
  });
});

describe('the owner', () => {
  it('changes the parameters within their limits, until updates are switched off for ever', async () => {
    const params = await on.pool.getParams();
    const update = (changed: Partial<typeof params>): Promise<number> =>
      exitCode(OWNER, '1', updateBody({ ...params, ...changed }));
    expect(await update({ minStake: toNano(1) - 1n })).toBe(72);
    expect(await update({ depositFee: toNano('0.1') - 1n })).toBe(72);
    expect(await update({ withdrawFee: toNano('0.1') - 1n })).toBe(72);
    expect(await update({ receiptPrice: toNano('0.1') - 1n })).toBe(72);
    expect(await update({ poolFee: 10_001n })).toBe(72);
    expect(await on.pool.getParams()).toEqual(params);

    const changed = { ...params, minStake: toNano(5), poolFee: 10_000n, updatesEnabled: false };
    const { sent } = await send(OWNER, '1', updateBody(changed));
    expect(sent.map(read)).toMatchObject([{ says: [OP.updateResponse, 1n], to: OWNER.toRawString() }]);
    expect(await on.pool.getParams()).toEqual(changed);
    expect(await update({})).toBe(73);
  });

  it('has what is unowned: deposits that failed without bouncing, and what the controller pays', async () => {
    await deposit(ALICE, '10');
    await accept(ALICE);
    const unowned = await on.pool.getUnowned();
    expect(unowned).toBeGreaterThan(toNano('4.9'));
    const { sent } = await send(OWNER, '1', comment('Unowned'));
    expect(read(sent[0]!).value).toBeGreaterThan(unowned + toNano('0.9'));
    expect(await on.pool.getUnowned()).toBeLessThan(toNano('0.02'));
    const again = await send(OWNER, '1', withdrawUnownedBody(9n));
    expect(read(again.sent[0]!).says).toEqual([OP.withdrawUnownedResponse, 9n]);
    expect(await on.pool.getMember(ALICE)).toMatchObject({ balance: toNano(10) });
  });

  it("sends a member away with all that is the member's, while the pool is not locked", async () => {
    await deposit(ALICE, '10');
    await deposit(BOB, '10');
    await accept(ALICE);
    await stakeSend('10');
    expect(await exitCode(OWNER, '1', forceKickBody(ALICE))).toBe(72);
    await answer(OP.stakeReturned);
    const { sent } = await send(OWNER, '1', forceKickBody(ALICE));
    expect(sent.map(read)).toMatchObject([{ to: ALICE.toRawString(), says: [OP.forceKickResponse, 1n] }]);
    expect(read(sent[0]!).value).toBeGreaterThan(toNano('10.9'));
    expect([...(await on.pool.getMembers()).keys()]).toEqual([BOB.toRawString()]);
    expect(await on.pool.getPoolStatus()).toMatchObject({ balance: 0n, pendingDeposits: toNano(10) });
  });

  it('changes the code, the owner and the controller', async () => {
    const { sent } = await send(OWNER, '1', upgradeBody(POOL_CODE));
    expect(sent.map(read)).toMatchObject([{ says: [OP.upgradeResponse, 1n] }]);
    expect(await exitCode(OWNER, '1', changeAddressBody(BOB, ALICE))).toBe(0);
    expect([await on.pool.getOwner(), await on.pool.getController()].map(String)).toEqual(
      [BOB, ALICE].map(String),
    );
    expect(await exitCode(OWNER, '1', upgradeBody(POOL_CODE))).toBe(73);
    expect(await exitCode(ALICE, '5', acceptStakesBody([]))).toBe(0);
  });
});

describe('the proxy', () => {
  const proxied = async () => {
    const { address, init } = masterchainProxy(POOL);
    return contractOnTvm(address, init.code, init.data, toNano(1));
  };

  it('carries all but one TON from the pool to the elector and back', async () => {
    const proxy = await proxied();
    const body = beginCell().storeUint(OP.newStake, 32).storeUint(5, 64).endCell();
    for (const [from, to] of [
      [POOL, ELECTOR],
      [ELECTOR, POOL],
    ] as const) {
      const { exitCode: code, sent } = await proxy.send({ from, value: toNano(100), body });
      expect(code).toBe(0);
      expect(read(sent[0]!)).toMatchObject({ to: to.toRawString(), bounce: true, says: [OP.newStake, 5n] });
      expect(read(sent[0]!).value).toBeGreaterThan(toNano('99.9'));
      expect(proxy.balance()).toBe(toNano(1));
    }
  });

  it('tells the pool what came back, keeps what the pool refuses, and takes nothing from others', async () => {
    const proxy = await proxied();
    const body = beginCell().storeUint(0xffffffff, 32).storeUint(OP.newStake, 32).storeUint(5, 64).endCell();
    const back = await proxy.send({ from: ELECTOR, value: toNano(100), body, bounced: true });
    expect(back.sent[0]!.body.equals(body)).toBe(true);
    expect(read(back.sent[0]!).to).toBe(POOL.toRawString());
    const refused = await proxy.send({ from: POOL, value: toNano(3), body, bounced: true });
    expect(refused).toMatchObject({ exitCode: 0, sent: [] });
    expect((await proxy.send({ from: ALICE, value: toNano(3), body })).exitCode).toBe(73);
  });
});
