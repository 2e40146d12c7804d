import {
  Address,
  comment,
  internal,
  toNano,
  type Cell,
  type CommonMessageInfoInternal,
  type Transaction,
} from '@ton/core';
import { temporaryFolder } from '../../../temporary-folder';
import { until } from '../../../until';
import { ask, type Json } from '../../program';
import type { Node } from '../node';
import { createWallet, deliver, sign, type Wallet } from '../wallet';
import { deposit, withdraw } from './bodies';
import { startFollower, type Follower } from './follower';
import { stakeAt, stakedBy, type Stake } from './getters';
import { ROUNDS_LIMIT_MS } from './pass-time';

/** A pool that the wallet app has built in. */
const POOL = Address.parse('EQCkR1cGmnsE45N4K0otPl5EnxnRakmGqeJUNua5fkWhales');
/** What the app adds to a deposit, and sends with a withdrawal; and what the pool's receipts have of it. */
const FEES = toNano('0.2');
const RECEIPT = toNano('0.1');
const WITHDRAWN = toNano(100);
const ZEROS: Stake = { balance: '0', pendingDeposit: '0', pendingWithdraw: '0', withdraw: '0' };

let follower: Follower;
let node: Node;

/** As the API serves it, having compared it with what the pool said at the block that it names. */
async function stakeOf({ address }: Wallet): Promise<Stake> {
  const body = { isTestnet: false, address: address.toString(), pools: [POOL.toString()] };
  const { seqno, at, ...served } = (await ask(`${follower.url}/staking/member/info`, body))[POOL.toString()];
  expect(served).toEqual(await stakeAt(node.client, seqno as number, POOL, address));
  expect(Date.parse(at as string)).toBeGreaterThan(0);
  return served as Stake;
}

/** As the API serves it, compared in the same way. */
async function nominator({ address }: Wallet): Promise<Json> {
  const body = { pool: POOL.toString(), addr: address.toString() };
  const { nominator: served } = await ask(`${follower.url}/staking-indexer/indexer/nominator`, body);
  expect(served).toMatchObject(await stakeAt(node.client, served.seqno as number, POOL, address));
  return served;
}

const total = (amounts: readonly { readonly amount: string }[]): bigint =>
  amounts.reduce((sum, { amount }) => sum + BigInt(amount), 0n);

async function send(wallet: Wallet, value: bigint, body: Cell): Promise<void> {
  const request = await sign(node, wallet, { messages: [internal({ to: POOL, value, body })] });
  await deliver(node, wallet.address, request);
}

/** Of the network's parameters: what part of a forward fee the sending block keeps, of 65,536. */
const FIRST_FRACTION = 21_845n;

/**
 * Whether the pool has sent so many nanotons in a message, from which the fee of its way was taken: the message names what the
 * first block has left of it.
 */
function isOf(amount: bigint, { value, forwardFee }: CommonMessageInfoInternal): boolean {
  const fee = amount - value.coins;
  return fee - ((fee * FIRST_FRACTION) >> 16n) === forwardFee;
}

/** What the pool has sent an account beside receipts. */
async function paymentsTo({ address }: Wallet): Promise<readonly CommonMessageInfoInternal[]> {
  const { account } = await node.client.getAccountLite(await node.tip(), address);
  const all: Transaction[] = await node.page(address, account.last!.lt, account.last!.hash);
  return all
    .flatMap(({ inMessage }) => (inMessage?.info.type === 'internal' ? [inMessage.info] : []))
    .filter(message => message.src.equals(POOL) && !isOf(RECEIPT, message));
}

/** What both programs say of the member and its pool once they have read the same, without what says when each has read it. */
async function agreed(wallet: Wallet): Promise<void> {
  const address = wallet.address.toString();
  const [pool, isTestnet] = [POOL.toString(), false];
  const said = (url: string): Promise<Json[]> =>
    Promise.all([
      ask(`${url}/staking/member/info`, { isTestnet, address, pools: [pool] }),
      ask(`${url}/staking-indexer/indexer/nominator`, { pool, addr: address }),
      ask(`${url}/staking-indexer/indexer/pool/apy`, { address: pool }),
    ]);
  const comparable = async (url: string): Promise<string> =>
    JSON.stringify(await said(url), (name, value: unknown) =>
      ['at', 'seqno', 'observed'].includes(name) ? undefined : value,
    );
  await until(async () => (await comparable(follower.url)) === (await comparable(follower.host.url)));
}

beforeAll(async () => {
  follower = await startFollower(temporaryFolder());
  ({ node } = follower);
});
afterAll(() => follower?.stop());

it(
  'what members deposit earns in rounds, is withdrawn, and is theirs to the nanoton, whenever the program is killed',
  async () => {
    const byText = { wallet: createWallet('v5', node), deposited: toNano(1_000), trigger: 'comment' };
    const byMessage = { wallet: createWallet('v4', node), deposited: toNano(500), trigger: 'payload' };
    const members = [byText, byMessage] as const;
    for (const { wallet } of members) await node.grant(wallet.address, toNano(2_000));
    expect(await stakeOf(byText.wallet)).toEqual(ZEROS);
    await send(byText.wallet, byText.deposited + FEES, comment('Deposit'));
    await send(byMessage.wallet, byMessage.deposited + FEES, deposit());
    await follower.killAndStart();
    for (const { wallet, deposited } of members)
      await until(
        () => stakeOf(wallet),
        ({ balance, pendingDeposit }) => BigInt(balance) + BigInt(pendingDeposit) === deposited,
      );

    const hasEarned = async ({ wallet, deposited }: (typeof members)[number]): Promise<boolean> =>
      BigInt((await stakeOf(wallet)).balance) > deposited;
    await follower.passTime(async () => (await Promise.all(members.map(hasEarned))).every(Boolean));
    for (const { wallet, deposited, trigger } of members) {
      const found = await nominator(wallet);
      expect(found.deposits).toMatchObject([{ amount: String(deposited), trigger }]);
      expect(found).toMatchObject({
        totalDepositAmount: String(deposited),
        totalWithdrawAmount: '0',
        withdraws: [],
      });
      expect(BigInt(found.profitAmount)).toBe(BigInt(found.balance) - deposited);
      expect(total(found.profits)).toBe(BigInt(found.profitAmount));
    }

    await follower.passTime(async () => (await stakedBy(node.client, POOL)) > 0n);
    await send(byText.wallet, FEES, comment('Withdraw'));
    await send(byMessage.wallet, FEES, withdraw(WITHDRAWN));
    await follower.killAndStart();
    const pending = await until(
      () => stakeOf(byText.wallet),
      ({ pendingWithdraw }) => pendingWithdraw !== '0',
    );
    expect(pending).toEqual({ ...ZEROS, balance: pending.balance, pendingWithdraw: pending.balance });
    await until(
      () => stakeOf(byMessage.wallet),
      ({ pendingWithdraw }) => pendingWithdraw === String(WITHDRAWN),
    );
    const isReady = async ({ wallet }: (typeof members)[number]): Promise<boolean> =>
      (await stakeOf(wallet)).withdraw !== '0';
    await follower.passTime(async () => (await Promise.all(members.map(isReady))).every(Boolean));

    for (const { wallet, trigger, deposited } of members) {
      const { withdraw: ready, balance } = await stakeOf(wallet);
      await send(wallet, FEES, trigger === 'comment' ? comment('Withdraw') : withdraw(BigInt(ready)));
      await follower.killAndStart();
      await until(
        () => stakeOf(wallet),
        stake => stake.withdraw === '0',
      );
      const payments = await paymentsTo(wallet);
      expect(payments.map(payment => isOf(BigInt(ready) + RECEIPT, payment))).toEqual([true]);
      const ended = await until(
        () => nominator(wallet),
        ({ withdraws }) => withdraws.length > 0,
      );
      expect(ended.withdraws).toMatchObject([{ amount: ready, trigger }]);
      expect(ended.totalWithdrawAmount).toBe(ready);
      expect(BigInt(ended.profitAmount)).toBe(BigInt(ready) + BigInt(balance) - deposited);
      expect(total(ended.profits)).toBe(BigInt(ended.profitAmount));
    }

    for (const { wallet } of members) await agreed(wallet);
    await follower.expectRebuildEqual();
  },
  ROUNDS_LIMIT_MS,
);
