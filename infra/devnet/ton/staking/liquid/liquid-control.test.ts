import { Address, comment, internal, toNano } from '@ton/core';
import type { TonClient4 } from '@ton/ton';
import { clientOf, expectUnbrokenChains, quietDevnet } from '../../../../../test/devnet/ton';
import { temporaryFolder } from '../../../../../test/temporary-folder';
import { until } from '../../../../../test/until';
import type { TonDevnet } from '../../devnet';
import { ROUND } from '../../elections/schedule';
import { type LocalWallet, localWallet, transfer } from '../../wallets';
import { liquidCollectBody, liquidDepositBody, liquidWalletAddress, liquidWithdrawBody } from './liquid';
import { LiquidPool, LiquidWallet } from './liquid-contracts';
import { OWN_SUPPLY, localLiquidPool } from './local-liquid-pool';

const STAKE = toNano(1_000);
const FEES = toNano('0.2');
const { address: POOL, owner: POOL_OWNER } = localLiquidPool('mainnet');
const dataDir = temporaryFolder();
let devnet: TonDevnet;
let client: TonClient4;
let alice: LocalWallet;
let owner: Address;

const status = () => client.open(new LiquidPool(POOL)).getPoolStatus();
const wallet = () => client.open(new LiquidWallet(liquidWalletAddress({ pool: POOL, owner })));
const pending = async () => [...(await wallet().getPendingWithdrawals())];
const now = async (): Promise<number> => (await client.getLastBlock()).now;
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

/** To the next election, and to when the stake of the last but one can be recovered. */
async function passRound(): Promise<void> {
  await devnet.advanceTime(ROUND.electedFor);
}

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
  await passRound();
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
  await passRound();
  await until(status, each => each.roundId === 2 && each.sent === each.balance);
  expect((await status()).rateWithdraw).toBe(1_000_000_000n);
  const before = await now();
  await devnet.advanceTime(ROUND.electedFor + 400);
  const { rateWithdraw, rateDeposit } = await until(
    status,
    each => each.roundId === 3 && each.sent === 0n,
    // eslint-disable-next-line @typescript-eslint/no-empty-function
  );
  expect(before).toBeGreaterThan(0);
  expect(rateWithdraw).toBeGreaterThan(1_000_000_000n);
  expect(rateDeposit).toBeLessThan(1_000_000_000n);
});
