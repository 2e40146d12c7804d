import {
  beginCell,
  Cell,
  comment,
  contractAddress,
  internal,
  storeMessageRelaxed,
  toNano,
  type Address,
  type MessageRelaxed,
} from '@ton/core';
import { JettonWallet, type TonClient4 } from '@ton/ton';
import request from 'supertest';
import type { HttpTonAction } from '../../contracts/http/history/actions';
import type { StoredTransaction } from '../../contracts/http/history/stored-transaction';
import {
  jettonMaster,
  jettonTransferBody,
  jettonWalletAddress,
  mintBody,
} from '../../infra/devnet/ton/jetton/jetton';
import {
  ROUNDS_TO_WAIT,
  liquidCollectBody,
  liquidDepositBody,
  liquidWalletAddress,
  liquidWithdrawBody,
} from '../../infra/devnet/ton/staking/liquid/liquid';
import { LiquidPool, LiquidWallet } from '../../infra/devnet/ton/staking/liquid/liquid-contracts';
import { localLiquidPool } from '../../infra/devnet/ton/staking/liquid/local-liquid-pool';
import { localStakingPools } from '../../infra/devnet/ton/staking/local-pools';
import { NominatorPool } from '../../infra/devnet/ton/staking/pool-contract';
import { depositBody, withdrawBody } from '../../infra/devnet/ton/staking/staking';
import { createActors } from '../../infra/devnet/ton/traffic/actors';
import { localUsde } from '../../infra/devnet/ton/usde/local-usde';
import {
  LOCK_PERIOD,
  USDE_VALUE,
  claimBody,
  stakeBody,
  stakedWalletAddress,
  unstakeBody,
} from '../../infra/devnet/ton/usde/usde';
import { StakedUsdeWallet } from '../../infra/devnet/ton/usde/usde-contracts';
import { transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import type { LocalNetwork } from '../ton/network';
import { friendly, rawOf, startTestnet } from '../ton/testnet';
import { until } from '../until';

const POOL = localStakingPools('testnet')[0]!.address;
const LIQUID = localLiquidPool('testnet').address;
const { usde: USDE, stakedUsde: STAKED, vault: VAULT } = localUsde('testnet');
/** Nanotons: a deposit or a withdrawal, with its receipt. */
const FEES = toNano('0.2');
const TON = { type: 'ton' };
const jetton = (master: Address) => ({ type: 'jetton', master: friendly(master) });

let network: LocalNetwork;
let client: TonClient4;
let alice: LocalWallet;
let owner: Address;

async function state(address: Address) {
  const { last } = await client.getLastBlock();
  return (await client.getAccountLite(last.seqno, address)).account;
}

async function actionsOf(address: Address): Promise<HttpTonAction[]> {
  const { body } = await request(network.app)
    .get(`/actions/${friendly(address)}?limit=100`)
    .expect(200);
  return (body as { actions: HttpTonAction[] }).actions;
}

/** Rows by logical time of an account, down to one of its transactions. */
async function row(address: Address, lt: string): Promise<StoredTransaction> {
  const { body } = await request(network.app)
    .get(`/transactions/${friendly(address)}?lt=${lt}&limit=1`)
    .expect(200);
  return (body as { transactions: StoredTransaction[] }).transactions[0]!;
}

interface Acted {
  readonly action: HttpTonAction;
  readonly row: StoredTransaction;
  /** Rows of what returned to the owner, oldest first. */
  readonly returned: readonly StoredTransaction[];
  /** Nanotons that the owner has less than before. */
  readonly spent: bigint;
}

/** The action that a request of Alice becomes, once everything that it caused is known. */
async function act(...messages: MessageRelaxed[]): Promise<Acted> {
  const before = await state(owner);
  await transfer(client, alice, messages);
  const known = BigInt(before.last!.lt);
  const [action] = await until(
    async () => {
      const newest = (await state(owner)).last!.lt;
      const actions = (await actionsOf(owner)).filter(({ lt }) => BigInt(lt) > known);
      const lts = actions.flatMap(({ lt, members }) => [lt, ...members.map(member => member.lt)]);
      return lts.includes(newest) ? actions : [];
    },
    actions => actions.length > 0 && actions.every(({ status }) => status !== 'pending'),
  );
  const spent = BigInt(before.balance.coins) - BigInt((await state(owner)).balance.coins);
  const lts = action!.members.map(({ lt }) => lt).sort((a, b) => Number(BigInt(a) - BigInt(b)));
  const returned = await Promise.all(lts.map(lt => row(owner, lt)));
  return { action: action!, row: await row(owner, action!.lt), returned, spent };
}

const send = (to: Address, value: bigint, body: Cell, bounce = true): Promise<Acted> =>
  act(internal({ to, value, body, bounce }));

/** The newest action of a contract with Alice as its sender, and its row. */
async function asSeenBy(contract: Address): Promise<{ action: HttpTonAction; row: StoredTransaction }> {
  const { last } = await state(contract);
  const actions = await until(
    () => actionsOf(contract),
    page => page.some(({ lt }) => BigInt(lt) >= BigInt(last!.lt)),
  );
  const action = actions.find(({ sender }) => sender === friendly(owner))!;
  return { action, row: await row(contract, action.lt) };
}

/** A contract of this code, deployed or not. */
const contractOf = (code: Cell): { address: Address; init: { code: Cell; data: Cell } } => {
  const init = { code, data: Cell.EMPTY };
  return { address: contractAddress(0, init), init };
};

const keys = (rows: readonly StoredTransaction[]) => rows.map(({ operation }) => operation.op?.res);

beforeAll(async () => {
  ({ network, client, alice } = await startTestnet({ watched: true }));
  owner = alice.contract.address;
  for (const contract of [POOL, LIQUID, VAULT, STAKED]) await network.watch(contract.toRawString());
  const issuer = createActors('testnet')[0]!;
  for (const each of [rawOf(alice), rawOf(issuer)]) await network.devnet.faucet(each, toNano(5_000));
  const body = jettonTransferBody({ to: owner, amount: 1_000_000_000n, response: owner, forwardValue: 1n });
  const to = jettonWalletAddress(USDE, issuer.contract.address);
  await transfer(client, issuer, [internal({ to, value: USDE_VALUE, body })]);
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
    ...{ kind: 'stake_withdrawal', status: 'success', receiver: friendly(POOL) },
    ...{ asset: TON, amount: String(amount), received: null },
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

describe('what a stranger sends', () => {
  const head = (op: number) => beginCell().storeUint(op, 32).storeUint(1, 64);
  const bodies: [string, () => Cell][] = [
    ['a deposit', depositBody],
    ['a withdrawal', () => withdrawBody(toNano(1))],
    ['a deposit in a liquid pool', () => liquidDepositBody({ amount: toNano(100), response: owner })],
    ['a withdrawal from a liquid pool', () => liquidWithdrawBody({ jettons: toNano(1), response: owner })],
    ['a collection', () => liquidCollectBody({ response: owner })],
    ['a stake of USDe', () => stakeBody({ to: VAULT, amount: 5_000_000n, response: owner })],
    ['unstaking', () => unstakeBody({ to: STAKED, amount: 5_000_000n, response: owner })],
    ['a claim', () => claimBody({ to: STAKED, amount: 5_000_000n, response: owner })],
    ['a lock', () => head(0xb2583ed5).storeCoins(5_000_000n).storeUint(1, 32).endCell()],
    ['a receipt', () => head(0xc641e932).endCell()],
    ['a payment', () => head(0x23d421e1).endCell()],
    [
      'a withdrawal that is owed',
      () => head(0x2334e467).storeUint(1, 32).storeCoins(5n).storeAddress(null).endCell(),
    ],
  ];

  it.each(bodies)('to what is no contract of staking is a call, on both sides: %s', async (_, body) => {
    const bob = createActors('testnet')[2]!.contract.address;
    await network.watch(bob.toRawString());
    const { action, row } = await send(bob, toNano(1), body(), false);
    const expected = { kind: 'call_contract', status: 'success', asset: TON, amount: String(toNano(1)) };
    expect(action).toMatchObject(expected);
    expect(action.owed).toBeUndefined();
    expect(row.operation.op).toBeUndefined();
    expect(row.operation.items).toHaveLength(1);
    const seen = await asSeenBy(bob);
    expect(seen.action).toMatchObject(expected);
    expect(seen.row.operation.op).toBeUndefined();
  });

  /** DROP LDREF DROP 3 PUSHINT SENDRAWMSG: sends the message that a received one has in its first reference. */
  const forwarder = contractOf(beginCell().storeUint(0x30d43073fb00n, 48).endCell());

  it.each(bodies)('from a contract that somebody made up is a call: %s', async (_, body) => {
    const answer = internal({ to: owner, value: toNano('0.01'), bounce: false, body: body() });
    const forwarded = beginCell()
      .storeRef(beginCell().store(storeMessageRelaxed(answer)).endCell())
      .endCell();
    const { address: to, init } = forwarder;
    const { action, returned } = await act(internal({ to, value: toNano('0.1'), init, body: forwarded }));
    expect(['contract_deploy', 'ton_transfer']).toContain(action.kind);
    expect(action.owed).toBeUndefined();
    expect(keys(returned)).toEqual([undefined]);
    expect(returned[0]!.operation.items).toHaveLength(1);
  });

  describe('of a jetton of their own', () => {
    const metadata = { name: 'USDe', symbol: 'USDe', decimals: 6, description: '', image: '' };
    const fake = () => jettonMaster(owner, metadata);
    const wallet = () => jettonWalletAddress(fake().address, owner);

    it.each([
      ['to the vault', VAULT],
      ['to the master of tsUSDe', STAKED],
    ])('is a transfer: %s', async (_, destination) => {
      const body = mintBody({ to: owner, amount: 5_000_000n, value: toNano('0.1') });
      await act(internal({ to: fake().address, value: FEES, init: fake().init, body }));
      const { action, row } = await send(
        wallet(),
        USDE_VALUE,
        stakeBody({ to: destination, amount: 5_000_000n, response: owner }),
      );
      expect(action).toMatchObject({
        kind: 'jetton_transfer',
        status: 'success',
        receiver: friendly(destination),
        asset: jetton(fake().address),
        amount: '5000000',
        received: null,
      });
      expect(row.operation.op).toEqual({ res: 'tx.tokenTransfer' });
    });

    it('is no claim', async () => {
      const { action, row } = await send(
        wallet(),
        USDE_VALUE,
        claimBody({ to: STAKED, amount: 5_000_000n, response: owner }),
      );
      expect(action).toMatchObject({ kind: 'call_contract', status: 'failed', asset: TON });
      expect(row.operation.op).toBeUndefined();
    });
  });

  it.each(['Deposit', 'Withdraw', 'Collect', 'Stake 5.0 accepted', 'Withdraw completed', 'constructor'])(
    'as a text is a payment, on both sides: %s',
    async text => {
      const bob = createActors('testnet')[2]!.contract.address;
      const { action, row } = await send(bob, 5n, comment(text), false);
      for (const seen of [{ action, row }, await asSeenBy(bob)]) {
        expect(seen.action).toMatchObject({ kind: 'ton_transfer', amount: '5', comment: text });
        expect(seen.row.operation.op).toBeUndefined();
      }
    },
  );
});
