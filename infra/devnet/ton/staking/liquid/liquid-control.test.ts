import { join } from 'node:path';
import { Address, comment, internal, toNano } from '@ton/core';
import type { TonClient4 } from '@ton/ton';
import { clientOf, expectUnbrokenChains, quietDevnet } from '../../../../../test/devnet/ton';
import { temporaryFolder } from '../../../../../test/temporary-folder';
import { until } from '../../../../../test/until';
import { openDatabase } from '../../../../engines/sqlite/database';
import type { TonDevnet } from '../../devnet';
import { ROUND } from '../../elections/schedule';
import { type LocalWallet, localWallet, transfer } from '../../wallets';
import { liquidCollectBody, liquidDepositBody, liquidWalletAddress, liquidWithdrawBody } from './liquid';
import { LiquidPool, type LiquidPoolStatus, LiquidWallet } from './liquid-contracts';
import { OWN_SUPPLY, liquidPoolContracts, localLiquidPool } from './local-liquid-pool';

const STAKE = toNano(1_000);
const FEES = toNano('0.2');
/** Of a rate: one. */
const ONE = 1_000_000_000n;
const { address: POOL, owner: POOL_OWNER } = localLiquidPool('mainnet');
const dataDir = temporaryFolder();
let devnet: TonDevnet;
let client: TonClient4;
let alice: LocalWallet;
let owner: Address;

const status = () => client.open(new LiquidPool(POOL)).getPoolStatus();
const wallet = () => client.open(new LiquidWallet(liquidWalletAddress({ pool: POOL, owner })));
const pending = async () => [...(await wallet().getPendingWithdrawals())];
const coins = async (): Promise<bigint> => {
  const { last } = await client.getLastBlock();
  return BigInt((await client.getAccountLite(last.seqno, owner)).account.balance.coins);
};
const send = (value: bigint, body: Parameters<typeof internal>[0]['body']): Promise<void> =>
  transfer(client, alice, [internal({ to: POOL, value, body: body! })]);

async function start(): Promise<void> {
  devnet = await quietDevnet({ network: 'mainnet', dataDir });
  client = clientOf(devnet.url);
  alice = localWallet('liquid staker', 'v5r1', 'mainnet');
  owner = alice.contract.address;
}

const passRounds = (rounds: number): Promise<unknown> => devnet.advanceTime(rounds * ROUND.electedFor);
/** Until nothing is due any more: the round is that one, and its stake is sent. */
const isStaked = (roundId: number) =>
  until(status, each => each.roundId === roundId && each.sent > 0n && each.sent === each.balance);

beforeAll(async () => {
  await start();
  await devnet.faucet(owner.toString(), toNano(10_000));
});
afterAll(() => devnet.close());

it('there is a pool where the wallet app looks for it, which rests while nobody but its owner has a stake', async () => {
  const known = Address.parse('EQB0SoxuGDx5qjVt0P_bPICFeWdFLBmVopHhjgfs0q-wsTON');
  expect(POOL.equals(known)).toBe(true);
  expect(await status()).toMatchObject({ supply: OWN_SUPPLY, balance: OWN_SUPPLY, roundId: 0, sent: 0n });
  const own = client.open(new LiquidWallet(liquidWalletAddress({ pool: POOL, owner: POOL_OWNER })));
  expect((await own.getWalletData()).balance).toBe(OWN_SUPPLY);
  await passRounds(1);
  expect(await status()).toMatchObject({ roundId: 0, sent: 0n });
});

it('a deposit starts the first round, in which half is staked', async () => {
  await send(STAKE + FEES, liquidDepositBody({ amount: STAKE, response: owner }));
  expect((await wallet().getWalletData()).balance).toBe(STAKE);
  const { balance, sent, roundId } = await until(status, each => each.sent > 0n);
  expect({ balance, sent, roundId }).toEqual({
    balance: OWN_SUPPLY + STAKE,
    sent: (OWN_SUPPLY + STAKE) / 2n,
    roundId: 1,
  });
});

it('it is staked again when that is rolled back', async () => {
  const { seqno } = (await client.getLastBlock()).last;
  await devnet.simulation.rollbackTo(seqno - 1);
  await devnet.simulation.produceBlock();
  await until(status, each => each.roundId === 1 && each.sent > 0n);
});

it('the other half is staked in the next round by the other proxy, and a round later the first one has earned', async () => {
  await passRounds(1);
  await isStaked(2);
  expect((await status()).rateWithdraw).toBe(ONE);
  await passRounds(1);
  await isStaked(3);
  const { rateWithdraw, rateDeposit } = await status();
  // From 140 to 160 millionths of half, less a tenth for the owner and the fees of the elector.
  expect(rateWithdraw).toBeGreaterThan(ONE + 60_000n);
  expect(rateWithdraw).toBeLessThan(ONE + 80_000n);
  expect(rateDeposit).toBeLessThan(ONE - 60_000n);
});

it('what is withdrawn is owed, is not staked any more, and is paid three rounds later', async () => {
  const { balance, supply } = await status();
  const owed = (toNano(100) * balance) / supply;
  await send(FEES, liquidWithdrawBody({ jettons: toNano(100), response: owner }));
  expect(await pending()).toEqual([[3, owed]]);
  for (const roundId of [4, 5, 6]) {
    await passRounds(1);
    await isStaked(roundId);
  }
  expect(await status()).toMatchObject({ pendingWithdraw: 0n, withdraw: owed });
  const before = await coins();
  await send(FEES, comment('Collect'));
  await until(async () => (await pending()).length === 0);
  const paid = (await coins()) - before;
  expect(paid).toBeGreaterThan(owed - FEES);
  expect(paid).toBeLessThan(owed);
  expect((await status()).withdraw).toBe(0n);
});

it('goes on after a jump over many rounds, after a stop, and after a rollback to any block', async () => {
  const { seqno } = (await client.getLastBlock()).last;
  const { rateWithdraw } = await status();
  await send(FEES, liquidWithdrawBody({ jettons: toNano(10), response: owner }));
  await passRounds(5);
  await devnet.close();
  await start();
  // Both stakes are back: half of all is staked, as in the first round.
  const isHalfStaked = ({ sent, balance }: LiquidPoolStatus): boolean => sent === balance / 2n;
  const after = await until(status, each => each.roundId === 11 && isHalfStaked(each));
  expect(after.rateWithdraw).toBeGreaterThan(rateWithdraw);
  await send(FEES, liquidCollectBody({ response: owner }));
  await until(async () => (await pending()).length === 0);
  const tip = (await client.getLastBlock()).last.seqno;
  for (const back of [tip - 1, Math.floor((seqno + tip) / 2), seqno]) {
    await devnet.simulation.rollbackTo(back);
    await devnet.simulation.produceBlock();
    const { roundId } = await status();
    for (let rounds = 0; rounds < 2; rounds++) await passRounds(1);
    await until(status, each => each.roundId > roundId && each.sent > 0n && each.rateWithdraw > rateWithdraw);
  }
  await expectUnbrokenChains(client);
});

it('a network of an earlier version, without the pool, has it after its next start', async () => {
  await devnet.close();
  const file = join(dataDir, 'ton-mainnet.sqlite');
  const db = openDatabase(file);
  for (const { address } of liquidPoolContracts('mainnet'))
    db.prepare('DELETE FROM accounts WHERE address = ?').run([address.toRawString()]);
  db.close();
  await start();
  expect(await status()).toMatchObject({ roundId: 0, supply: OWN_SUPPLY });
  await send(STAKE + FEES, liquidDepositBody({ amount: STAKE, response: owner }));
  await until(status, each => each.roundId === 1 && each.sent > 0n);
});
