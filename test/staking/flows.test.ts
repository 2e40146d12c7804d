import { comment, type Address, type Cell, toNano } from '@ton/core';
import { JettonWallet, type TonClient4 } from '@ton/ton';
import { jettonWalletAddress } from '../../infra/devnet/ton/jetton/jetton';
import {
  ROUNDS_TO_WAIT,
  liquidCollectBody,
  liquidDepositBody,
  liquidWalletAddress,
  liquidWithdrawBody,
} from '../../infra/devnet/ton/staking/liquid/liquid';
import { LiquidPool, LiquidWallet } from '../../infra/devnet/ton/staking/liquid/liquid-contracts';
import { NominatorPool } from '../../infra/devnet/ton/staking/pool-contract';
import { depositBody, withdrawBody } from '../../infra/devnet/ton/staking/staking';
import {
  LOCK_PERIOD,
  USDE_VALUE,
  claimBody,
  stakeBody,
  stakedWalletAddress,
  unstakeBody,
} from '../../infra/devnet/ton/usde/usde';
import { StakedUsdeWallet } from '../../infra/devnet/ton/usde/usde-contracts';
import type { LocalNetwork } from '../ton/network';
import { friendly } from '../ton/testnet';
import { until } from '../until';
import {
  FEES,
  LIQUID,
  POOL,
  STAKED,
  TON,
  USDE,
  VAULT,
  jetton,
  keys,
  startStaker,
  type Acted,
  type Staker,
} from './staker';

let staker: Staker;
let network: LocalNetwork;
let client: TonClient4;
let owner: Address;
const send: Staker['send'] = (...message) => staker.send(...message);
const asSeenBy: Staker['asSeenBy'] = account => staker.asSeenBy(account);

beforeAll(async () => {
  staker = await startStaker();
  ({ network, client, owner } = staker);
});
afterAll(() => network.close());

describe('a nominator pool', () => {
  const member = () => client.open(new NominatorPool(POOL)).getMember(owner);
  const isStaked = () =>
    until(
      () => client.open(new NominatorPool(POOL)).getStakingStatus(),
      ({ locked, querySent }) => locked && !querySent,
    );
  const all = async (): Promise<bigint> => {
    const { balance, pendingDeposit, withdraw } = await member();
    return balance + pendingDeposit + withdraw;
  };

  it.each<[string, () => Cell]>([
    ['the binary message', depositBody],
    ['the text', () => comment('Deposit')],
  ])('takes a deposit by %s', async (_, body) => {
    const before = await all();
    const { action, row, returned, spent } = await send(POOL, toNano(300) + FEES, body());
    expect(action).toMatchObject({
      kind: 'stake_deposit',
      status: 'success',
      receiver: friendly(POOL),
      asset: TON,
      amount: String(toNano(300)),
      received: null,
    });
    expect((await all()) - before).toBe(toNano(300));
    expect(spent).toBe(BigInt(action.amount!) + BigInt(action.fee));
    expect(keys([row, ...returned])).toEqual(['known.deposit', 'known.depositOk']);
    expect(row.parsed.status).toBe('success');
    const seen = await asSeenBy(POOL);
    expect(seen.action).toMatchObject({
      kind: 'stake_deposit',
      status: 'success',
      receiver: friendly(POOL),
      amount: String(toNano(300) + FEES),
    });
    expect(seen.row.parsed).toMatchObject({ kind: 'in', amount: String(toNano(300) + FEES) });
  });

  it.each([
    ['sends a deposit below the minimum back', true],
    ['refuses a deposit below the minimum, and keeps what must not come back', false],
  ])('%s', async (_, bounce) => {
    const before = await all();
    const { action, row, spent } = await send(POOL, toNano('0.5'), depositBody(), bounce);
    expect(action).toMatchObject({
      kind: 'stake_deposit',
      status: 'failed',
      receiver: friendly(POOL),
      amount: String(toNano('0.5')),
    });
    expect(await all()).toBe(before);
    expect(row.parsed.status).toBe('failed');
    expect(spent).toBe(BigInt(action.fee) + (bounce ? 0n : toNano('0.5')));
    const seen = await asSeenBy(POOL);
    expect(seen.action).toMatchObject({ kind: 'stake_deposit', status: bounce ? 'failed' : 'success' });
  });

  it('refuses a deposit by text that must not come back', async () => {
    const { action, row } = await send(POOL, toNano('0.5'), comment('Deposit'), false);
    expect(action).toMatchObject({ kind: 'stake_deposit', status: 'failed', comment: 'Deposit' });
    expect(row.parsed.status).toBe('failed');
  });

  const paidOf = (amount: bigint) => ({
    kind: 'stake_withdrawal',
    status: 'success',
    receiver: friendly(POOL),
    asset: TON,
    amount: String(amount),
    received: null,
  });

  it.each<[string, () => Cell]>([
    ['by the binary message', () => withdrawBody(toNano(50))],
    ['by the text, all of it', () => comment('Withdraw')],
  ])('pays at once what is not staked: %s', async (_, body) => {
    await isStaked();
    const { balance } = await member();
    if ((await member()).pendingDeposit === 0n) await send(POOL, toNano(50) + FEES, depositBody());
    const before = await all();
    const { action, returned, spent } = await send(POOL, FEES, body());
    const paid = before - (await all());
    expect(paid).toBeGreaterThanOrEqual(toNano(50));
    expect(spent).toBe(BigInt(action.fee) - BigInt(action.amount!));
    expect(action).toMatchObject({ ...paidOf(paid), ...(_.includes('all') && { amount: action.amount }) });
    expect(paid - BigInt(action.amount!)).toBeLessThan(toNano('0.11'));
    expect((await member()).balance).toBe(balance);
    expect(keys(returned)).toEqual([_.includes('all') ? undefined : 'known.withdrawAll']);
  });

  it('delays a withdrawal until its round is over, and pays it then', async () => {
    await isStaked();
    if ((await member()).pendingDeposit > 0n)
      await send(POOL, FEES, withdrawBody((await member()).pendingDeposit));
    const before = await member();
    const asked = await send(POOL, FEES, withdrawBody(toNano(100)));
    expect(asked.action).toMatchObject({
      kind: 'stake_withdrawal_request',
      status: 'success',
      receiver: friendly(POOL),
      asset: TON,
      amount: String(toNano(100)),
    });
    expect(asked.spent).toBe(BigInt(asked.action.fee));
    expect(await member()).toMatchObject({ ...before, pendingWithdraw: toNano(100) });
    expect(asked.row.operation.op).toEqual({ res: 'known.withdraw', options: { coins: '100' } });
    expect(keys(asked.returned)).toEqual([undefined]);

    const { liftAt } = await client.open(new NominatorPool(POOL)).getStakingStatus();
    await network.devnet.advanceTime(liftAt - (await client.getLastBlock()).now);
    const ready = await until(member, ({ withdraw }) => withdraw === toNano(100));
    const paid = await send(POOL, FEES, withdrawBody(toNano(100)));
    expect(paid.action).toMatchObject(paidOf(toNano(100)));
    expect(paid.spent).toBe(BigInt(paid.action.fee) - toNano(100));
    expect(BigInt(paid.action.fee)).toBeLessThan(FEES);
    expect(await member()).toMatchObject({ ...ready, withdraw: 0n });
    expect(keys(paid.returned)).toEqual(['known.withdrawAll']);
    expect((await asSeenBy(POOL)).action).toMatchObject({
      kind: 'stake_withdrawal_request',
      amount: String(toNano(100)),
    });
  });

  it('refuses a withdrawal of more than there is', async () => {
    const before = await member();
    const { action, row, spent } = await send(POOL, FEES, withdrawBody(toNano(100_000)));
    expect(action).toMatchObject({ kind: 'stake_withdrawal_request', status: 'failed' });
    expect(row.parsed.status).toBe('failed');
    expect(spent).toBe(BigInt(action.fee));
    expect(await member()).toMatchObject(before);
  });
});

describe('a liquid pool', () => {
  const pool = () => client.open(new LiquidPool(LIQUID));
  const wallet = () => client.open(new LiquidWallet(liquidWalletAddress({ pool: LIQUID, owner })));
  const jettons = async (): Promise<bigint> => {
    const { last } = await client.getLastBlock();
    const isDeployed = await client.isContractDeployed(last.seqno, wallet().address);
    return isDeployed ? (await wallet().getWalletData()).balance : 0n;
  };
  const deposit = (amount: bigint): Promise<Acted> =>
    send(LIQUID, amount + FEES, liquidDepositBody({ amount, response: owner }));

  it.each<[string, () => Cell]>([
    ['the binary message', () => liquidDepositBody({ amount: toNano(100), response: owner })],
    ['the text', () => comment('Deposit')],
  ])('takes a deposit by %s, and gives jettons', async (_, body) => {
    const [before, { balance }] = [await jettons(), await pool().getPoolStatus()];
    const { action, row, spent } = await send(LIQUID, toNano(100) + FEES, body());
    const given = (await jettons()) - before;
    expect(given).toBeGreaterThan(toNano(99));
    expect(action).toMatchObject({
      kind: 'stake_deposit',
      status: 'success',
      receiver: friendly(LIQUID),
      asset: TON,
      amount: String(toNano(100)),
      received: { asset: jetton(LIQUID), amount: String(given) },
    });
    expect((await pool().getPoolStatus()).balance - balance).toBe(toNano(100));
    expect(spent).toBe(BigInt(action.amount!) + BigInt(action.fee));
    expect(row.operation.op).toEqual({ res: 'known.deposit' });
    expect((await asSeenBy(LIQUID)).action).toMatchObject({ kind: 'stake_deposit', sender: friendly(owner) });
  });

  it('sends a deposit below the minimum back', async () => {
    const before = await jettons();
    const { action, row, spent } = await deposit(toNano(2));
    expect(action).toMatchObject({
      kind: 'stake_deposit',
      status: 'failed',
      amount: String(toNano(2)),
      received: null,
    });
    expect(row.parsed.status).toBe('failed');
    expect(spent).toBe(BigInt(action.fee));
    expect(await jettons()).toBe(before);
  });

  it('refuses to burn more jettons than there are, although it has taken the request', async () => {
    const before = await jettons();
    const body = liquidWithdrawBody({ jettons: before + 1n, response: owner });
    const { action, row, spent } = await send(LIQUID, FEES, body);
    expect(action).toMatchObject({
      kind: 'stake_withdrawal_request',
      status: 'failed',
      asset: jetton(LIQUID),
      amount: String(before + 1n),
    });
    expect(action.owed).toBeUndefined();
    expect(row.parsed.status).toBe('failed');
    expect(spent).toBe(BigInt(action.fee));
    expect(await jettons()).toBe(before);
  });

  const owed = async (): Promise<bigint> =>
    [...(await wallet().getPendingWithdrawals()).values()].reduce((sum, each) => sum + each, 0n);

  it.each<[string, () => Cell, (before: bigint) => bigint]>([
    [
      'a part by the binary message',
      () => liquidWithdrawBody({ jettons: toNano(30), response: owner }),
      () => toNano(30),
    ],
    ['the rest by the text', () => comment('Withdraw'), before => before],
  ])('burns %s, and owes TON for it', async (_, body, burnt) => {
    const [before, owedBefore] = [await jettons(), await owed()];
    const { action, row, spent } = await send(LIQUID, FEES, body());
    expect(before - (await jettons())).toBe(burnt(before));
    expect(action).toMatchObject({
      kind: 'stake_withdrawal_request',
      status: 'success',
      receiver: friendly(LIQUID),
      asset: jetton(LIQUID),
      amount: String(burnt(before)),
      received: null,
      owed: { asset: TON, amount: String((await owed()) - owedBefore), payableAt: null },
    });
    expect(spent).toBe(BigInt(action.fee));
    expect(row.operation.op).toEqual({ res: 'known.withdrawLiquid' });
    expect((await asSeenBy(LIQUID)).action).toMatchObject({
      kind: 'stake_withdrawal_request',
      asset: jetton(LIQUID),
    });
  });

  it('pays nothing before it is due, and all of it then', async () => {
    const collect = (): Promise<Acted> => send(LIQUID, FEES, liquidCollectBody({ response: owner }));
    const due = await owed();
    const rounds = [...(await wallet().getPendingWithdrawals()).keys()];
    const roundId = async (): Promise<number> => (await pool().getPoolStatus()).roundId;
    while ((await roundId()) < Math.max(ROUNDS_TO_WAIT, ...rounds)) await nextRound(roundId);
    const early = await collect();
    expect(early.action).toMatchObject({ kind: 'stake_withdrawal', status: 'success', amount: '0' });
    expect(early.spent).toBe(BigInt(early.action.fee));
    expect(await owed()).toBe(due);

    while ((await roundId()) < Math.max(...rounds) + ROUNDS_TO_WAIT) await nextRound(roundId);
    await until(
      () => pool().getPoolStatus(),
      ({ withdraw }) => withdraw >= due,
    );
    const paid = await collect();
    expect(paid.action).toMatchObject({
      kind: 'stake_withdrawal',
      status: 'success',
      receiver: friendly(LIQUID),
      asset: TON,
      amount: String(due),
    });
    expect(paid.spent).toBe(BigInt(paid.action.fee) - due);
    expect(await owed()).toBe(0n);
    expect(paid.row.operation.op).toEqual({ res: 'known.withdrawLiquid' });
    expect(keys(paid.returned)).toEqual(expect.arrayContaining(['known.withdrawAll', 'known.cashback']));
  });

  async function nextRound(roundId: () => Promise<number>): Promise<void> {
    const before = await roundId();
    while ((await roundId()) === before) {
      await network.devnet.advanceTime(16_384);
      await network.devnet.simulation.produceBlock();
    }
  }
});

describe('staked USDe', () => {
  const usdeWallet = () => jettonWalletAddress(USDE, owner);
  const stakedWallet = () => stakedWalletAddress(STAKED, owner);
  const balance = async (address: Address): Promise<bigint> =>
    client.open(JettonWallet.create(address)).getBalance();
  const timelock = () => client.open(new StakedUsdeWallet(stakedWallet())).getTimelock();
  const stake = (amount: bigint): Promise<Acted> =>
    send(usdeWallet(), USDE_VALUE, stakeBody({ to: VAULT, amount, response: owner }));
  const unstake = (amount: bigint): Promise<Acted> =>
    send(stakedWallet(), USDE_VALUE, unstakeBody({ to: STAKED, amount, response: owner }));
  const claim = (amount: bigint): Promise<Acted> =>
    send(stakedWallet(), USDE_VALUE, claimBody({ to: STAKED, amount, response: owner }));

  it('is given for USDe', async () => {
    const before = await balance(usdeWallet());
    const { action, row, spent } = await stake(100_000_000n);
    expect(before - (await balance(usdeWallet()))).toBe(100_000_000n);
    const shares = await balance(stakedWallet());
    expect(action).toMatchObject({
      kind: 'stake_deposit',
      status: 'success',
      receiver: friendly(VAULT),
      asset: jetton(USDE),
      amount: '100000000',
      received: { asset: jetton(STAKED), amount: String(shares) },
      forwarded: '0',
    });
    expect(spent).toBe(BigInt(action.fee));
    expect(row.operation).toMatchObject({
      op: { res: 'known.deposit' },
      items: [{ kind: 'token', amount: '100000000', master: friendly(USDE) }, { kind: 'ton' }],
    });
    const seen = await asSeenBy(VAULT);
    expect(seen.action).toMatchObject({
      kind: 'stake_deposit',
      status: 'success',
      asset: jetton(USDE),
      amount: '100000000',
    });
    expect(seen.row.parsed.status).toBe('success');
  });

  it('is not given for less than the minimum, which comes back', async () => {
    const [before, shares] = [await balance(usdeWallet()), await balance(stakedWallet())];
    const { action, row } = await stake(999_999n);
    expect(action).toMatchObject({
      kind: 'stake_deposit',
      status: 'failed',
      asset: jetton(USDE),
      amount: '999999',
      received: null,
    });
    expect(row.parsed.status).toBe('failed');
    expect(await balance(usdeWallet())).toBe(before);
    expect(await balance(stakedWallet())).toBe(shares);
  });

  it('is sent to the master to be unstaked, which locks USDe', async () => {
    const before = await balance(stakedWallet());
    const { action, row, spent } = await unstake(40_000_000n);
    const { locked, unlockAt } = await timelock();
    expect(before - (await balance(stakedWallet()))).toBe(40_000_000n);
    expect(action).toMatchObject({
      kind: 'stake_withdrawal_request',
      status: 'success',
      receiver: friendly(STAKED),
      asset: jetton(STAKED),
      amount: '40000000',
      received: null,
      owed: {
        asset: jetton(USDE),
        amount: String(locked),
        payableAt: new Date(unlockAt * 1_000).toISOString(),
      },
    });
    expect(spent).toBe(BigInt(action.fee));
    expect(row.parsed.status).toBe('success');
    expect(row.operation).toMatchObject({
      op: { res: 'known.withdrawLiquid' },
      items: [{ kind: 'token', amount: '40000000', master: friendly(STAKED) }, { kind: 'ton' }],
    });
    const seen = await asSeenBy(STAKED);
    expect(seen.action).toMatchObject({
      kind: 'stake_withdrawal_request',
      status: 'success',
      receiver: friendly(STAKED),
      asset: jetton(STAKED),
      amount: '40000000',
    });
    expect(seen.row.parsed).toMatchObject({ kind: 'in', status: 'success' });
  });

  it('is not unstaked beyond what there is', async () => {
    const before = await balance(stakedWallet());
    const { action, row } = await unstake(before + 1n);
    expect(action).toMatchObject({
      kind: 'stake_withdrawal_request',
      status: 'failed',
      asset: jetton(STAKED),
    });
    expect(action.owed).toBeUndefined();
    expect(row.parsed.status).toBe('failed');
    expect(await balance(stakedWallet())).toBe(before);
  });

  it('is claimed as USDe after the lock, and not before', async () => {
    const { locked } = await timelock();
    const before = await balance(usdeWallet());
    const early = await claim(locked);
    const claimed = {
      kind: 'stake_withdrawal',
      receiver: friendly(STAKED),
      asset: jetton(USDE),
      amount: String(locked),
      received: null,
    };
    expect(early.action).toMatchObject({ ...claimed, status: 'failed' });
    expect(early.row.parsed.status).toBe('failed');
    expect(early.spent).toBe(BigInt(early.action.fee));
    expect(await balance(usdeWallet())).toBe(before);

    await network.devnet.advanceTime(LOCK_PERIOD);
    const { action, row, returned, spent } = await claim(locked);
    expect(action).toMatchObject({ ...claimed, status: 'success' });
    expect((await balance(usdeWallet())) - before).toBe(locked);
    expect((await timelock()).locked).toBe(0n);
    expect(spent).toBe(BigInt(action.fee));
    expect(row.operation.op).toEqual({ res: 'known.withdrawLiquid' });
    expect(returned.map(({ operation }) => operation.items[0])).toContainEqual({
      kind: 'token',
      amount: String(locked),
      master: friendly(USDE),
    });
  });
});
