import { type Address, comment, internal, toNano } from '@ton/core';
import type { TonClient4 } from '@ton/ton';
import { clientOf, expectUnbrokenChains, quietDevnet } from '../../../../test/devnet/ton';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { until } from '../../../../test/until';
import { NOMINATOR_POOLS } from '../../../../contracts/chain/ton-verified-contracts';
import type { TonDevnet } from '../devnet';
import { ROUND } from '../elections/schedule';
import { type LocalWallet, localWallet, transfer } from '../wallets';
import { localStakingPools } from './local-pools';
import { NominatorPool } from './pool-contract';
import { withdrawBody } from './staking';

const STAKE = toNano(1_000);
const FEES = toNano('0.2');
const POOL = localStakingPools('testnet')[0]!.address;
const dataDir = temporaryFolder();
let devnet: TonDevnet;
let client: TonClient4;
let alice: LocalWallet;
let owner: Address;

const pool = () => client.open(new NominatorPool(POOL));
const member = () => pool().getMember(owner);
const status = () => pool().getStakingStatus();
const now = async (): Promise<number> => (await client.getLastBlock()).now;
const moveTo = async (utime: number): Promise<unknown> => devnet.advanceTime(utime - (await now()));

async function start(options = {}): Promise<void> {
  devnet = await quietDevnet({ network: 'testnet', dataDir, ...options });
  client = clientOf(devnet.url);
  alice = localWallet('staker', 'v5r1', 'testnet');
  owner = alice.contract.address;
}

const isStaked = () => until(status, ({ locked, querySent }) => locked && !querySent);

beforeAll(async () => {
  await start();
  await devnet.faucet(owner.toString(), toNano(10_000));
});
afterAll(() => devnet.close());

it('there are pools at the addresses that wallets know', async () => {
  const { last } = await client.getLastBlock();
  for (const raw of NOMINATOR_POOLS.testnet) {
    const { address } = localStakingPools('testnet').find(each => each.address.toRawString() === raw)!;
    expect(await client.isContractDeployed(last.seqno, address)).toBe(true);
    expect(await client.open(new NominatorPool(address)).getAvailable()).toBe(toNano(500_000));
  }
});

it('a deposit is accepted and staked in the election, with what the owner has', async () => {
  await transfer(client, alice, [internal({ to: POOL, value: STAKE + FEES, body: comment('Deposit') })]);
  await isStaked();
  expect(await member()).toMatchObject({ balance: STAKE, pendingDeposit: 0n });
  expect((await status()).sent).toBe(toNano(500_000) + STAKE);
});

it('it is staked again when that is rolled back', async () => {
  const { seqno } = (await client.getLastBlock()).last;
  await devnet.simulation.rollbackTo(seqno - 1);
  expect((await status()).locked).toBe(false);
  await devnet.simulation.produceBlock();
  await isStaked();
});

it.each([
  ['in one step', 1],
  ['in small steps', 12],
])(
  'after its round a stake has earned its share, and is staked in the next but one; if time passes %s',
  async (_, steps) => {
    const { balance } = await member();
    const { stakeAt, liftAt } = await status();
    const from = await now();
    for (let step = 1; step <= steps; step++) {
      await moveTo(from + Math.ceil(((liftAt - from) * step) / steps));
    }
    await until(status, each => each.stakeAt > stakeAt && !each.querySent);
    expect((await status()).stakeAt - stakeAt).toBeGreaterThanOrEqual(2 * ROUND.electedFor);
    const earned = (await member()).balance - balance;
    // From 140 to 160 millionths, less a tenth for the owner and the fees of the elector.
    expect(earned).toBeGreaterThan((balance * 120n) / 1_000_000n);
    expect(earned).toBeLessThan((balance * 160n) / 1_000_000n);
  },
);

it('a withdrawal is pending, and ready after the round', async () => {
  const { liftAt } = await status();
  await transfer(client, alice, [internal({ to: POOL, value: FEES, body: withdrawBody(toNano(100)) })]);
  expect(await member()).toMatchObject({ pendingWithdraw: toNano(100), withdraw: 0n });
  await moveTo(liftAt);
  await until(member, ({ withdraw }) => withdraw === toNano(100));
  await transfer(client, alice, [internal({ to: POOL, value: FEES, body: withdrawBody(toNano(100)) })]);
  expect(await member()).toMatchObject({ pendingWithdraw: 0n, withdraw: 0n });
});

it('goes on after a jump over many rounds, after a stop, and after a rollback to any block', async () => {
  await isStaked();
  const before = await status();
  const { balance } = await member();
  const { seqno } = (await client.getLastBlock()).last;
  await moveTo(before.stakeAt + 9 * ROUND.electedFor);
  await devnet.close();
  await start();
  const isInNext = async (): Promise<void> => {
    // A round that nobody saw may end later for a pool: by a later set of validators.
    for (let halves = 0; (await status()).stakeAt === before.stakeAt || !(await status()).locked; halves++) {
      expect(halves).toBeLessThan(8);
      await devnet.advanceTime(ROUND.electedFor / 4);
      for (let blocks = 0; blocks < 4; blocks++) await devnet.simulation.produceBlock();
    }
    await isStaked();
  };
  await isInNext();
  const tip = (await client.getLastBlock()).last.seqno;
  expect((await member()).balance).toBeGreaterThan(balance);
  for (const back of [tip - 1, Math.floor((seqno + tip) / 2), seqno + 1]) {
    await devnet.simulation.rollbackTo(back);
    await devnet.simulation.produceBlock();
    await isInNext();
    expect((await member()).balance).toBeGreaterThan(balance);
  }
  await expectUnbrokenChains(client);
});
