import { Address, internal, toNano, type Cell } from '@ton/core';
import { temporaryFolder } from '../../../temporary-folder';
import { until } from '../../../until';
import { ask, type Json } from '../../program';
import type { Node } from '../node';
import { createWallet, deliver, sign, type Wallet } from '../wallet';
import { liquidCollect, liquidDeposit, liquidWithdraw } from './bodies';
import { startFollower, type Follower } from './follower';
import { liquidStakeOf, liquidStatusAt } from './getters';
import { ROUNDS_LIMIT_MS } from './pass-time';

/** The liquid pool that the wallet app has built in. */
const POOL = Address.parse('EQB0SoxuGDx5qjVt0P_bPICFeWdFLBmVopHhjgfs0q-wsTON');
const FEES = toNano('0.2');

let follower: Follower;
let node: Node;

async function member({ address }: Wallet): Promise<Json> {
  const body = { isTestnet: false, address: address.toString() };
  return ask(`${follower.url}/staking/member/liquid/info`, body);
}

/** As the API serves it once it is what the wallet of the account says. */
async function agreedMember(wallet: Wallet): Promise<Json> {
  return until(
    async () => [await member(wallet), await liquidStakeOf(node.client, POOL, wallet.address)] as const,
    ([served, { balance, owner, master, pendingWithdrawals }]) =>
      served?.balance === balance &&
      Address.parse(served.owner as string).equals(owner) &&
      Address.parse(served.master as string).equals(master) &&
      JSON.stringify(served.pendingWithdrawals) === JSON.stringify(pendingWithdrawals),
  ).then(([served]) => served);
}

/** Compared with what the pool said at the block that the answer names. */
async function poolInfo(): Promise<Json> {
  const info = await ask(`${follower.url}/staking/mainnet/pool/liquid/info`);
  const status = await liquidStatusAt(node.client, info.seqno as number, POOL);
  const { rateDeposit, rateWithdraw, roundId, extras, balances } = info;
  for (const [name, value] of Object.entries({ rateDeposit, rateWithdraw, roundId, ...balances }))
    expect([name, String(value)]).toEqual([name, String(status[name as keyof typeof status])]);
  for (const name of ['minStake', 'depositFee', 'withdrawFee', 'receiptPrice', 'poolFee'] as const)
    expect([name, String(extras[name])]).toEqual([name, String(status[name])]);
  return info;
}

async function send(wallet: Wallet, value: bigint, body: Cell): Promise<void> {
  const request = await sign(node, wallet, { messages: [internal({ to: POOL, value, body })] });
  await deliver(node, wallet.address, request);
}

beforeAll(async () => {
  follower = await startFollower(temporaryFolder());
  ({ node } = follower);
});
afterAll(() => follower?.stop());

it(
  'what is deposited is wsTON that earns, and is withdrawn to the nanoton, whenever the program is killed',
  async () => {
    const wallet = createWallet('v5', node);
    await node.grant(wallet.address, toNano(2_000));
    expect(await member(wallet)).toBeNull();
    const before = await poolInfo();
    await send(wallet, toNano(1_000) + FEES, liquidDeposit(toNano(1_000), wallet.address));
    await follower.killAndStart();
    await until(
      () => member(wallet),
      served => served !== null,
    );
    const { balance } = await agreedMember(wallet);
    expect(BigInt(balance)).toBe((toNano(1_000) * BigInt(before.rateDeposit)) / 1_000_000_000n);

    await follower.passTime(
      async () => BigInt((await poolInfo()).rateWithdraw) > BigInt(before.rateWithdraw),
    );
    await send(wallet, FEES, liquidWithdraw(BigInt(balance), wallet.address));
    await follower.killAndStart();
    const burned = await until(
      () => agreedMember(wallet),
      served => served.balance === '0',
    );
    const owed: bigint = Object.values<string>(burned.pendingWithdrawals).reduce(
      (sum, each) => sum + BigInt(each),
      0n,
    );
    expect(owed).toBeGreaterThan(toNano(1_000));

    const [round] = Object.keys(burned.pendingWithdrawals as object);
    await follower.passTime(async () => (await poolInfo()).roundId >= Number(round) + 3);
    const poor = await node.balance(wallet.address);
    await send(wallet, FEES, liquidCollect(wallet.address));
    await follower.killAndStart();
    const collected = await until(
      () => agreedMember(wallet),
      served => Object.keys(served.pendingWithdrawals as object).length === 0,
    );
    expect(collected.balance).toBe('0');
    await until(
      () => node.balance(wallet.address),
      rich => rich > poor + owed - FEES && rich < poor + owed,
    );
    await follower.expectRebuildEqual();
  },
  ROUNDS_LIMIT_MS,
);
