import { type Address, comment, internal, toNano } from '@ton/core';
import type { TonClient4 } from '@ton/ton';
import { clientOf, expectUnbrokenChains, quietDevnet } from '../../../test/devnet/ton';
import { until } from '../../../test/until';
import type { TonDevnet } from './devnet';
import { ROUND } from './elections/schedule';
import { localStakingPools } from './staking/local-pools';
import { NominatorPool } from './staking/pool-contract';
import { type LocalWallet, localWallet, transfer } from './wallets';

const POOL = localStakingPools('testnet')[0]!.address;
const STAKE = toNano(1_000);
/** Beyond whole rounds: it ends between two elections. */
const ODD = 32_768;
let devnet: TonDevnet;
let client: TonClient4;
let alice: LocalWallet;
let owner: Address;

const pool = () => client.open(new NominatorPool(POOL));
const balance = async (): Promise<bigint> => (await pool().getMember(owner)).balance;
/** From 140 to 160 millionths of a stake in a round, less a tenth for the owner and the fees of the elector. */
const roundsEarned = async (before: bigint): Promise<number> =>
  Math.round(Number((((await balance()) - before) * 1_000_000n) / before) / 135);

beforeAll(async () => {
  devnet = await quietDevnet();
  client = clientOf(devnet.url);
  alice = localWallet('staker', 'v5r1', 'testnet');
  owner = alice.contract.address;
  await devnet.faucet(owner.toString(), toNano(10_000));
  const body = comment('Deposit');
  await transfer(client, alice, [internal({ to: POOL, value: STAKE + toNano('0.2'), body })]);
  await until(
    () => pool().getStakingStatus(),
    ({ locked, querySent }) => locked && !querySent,
  );
});
afterAll(() => devnet.close());

it('a pool is in every second round of what passes, wherever it ends', async () => {
  const before = await balance();
  const { now } = await client.getLastBlock();
  const utime = await devnet.passTime(8 * ROUND.electedFor + ODD);
  expect(utime).toBeGreaterThanOrEqual(now + 8 * ROUND.electedFor + ODD);
  expect(await roundsEarned(before)).toBe(4);
  await expectUnbrokenChains(client);
});

it('a pool stakes again and again where the same time passes again, and never ends in an election', async () => {
  const before = await balance();
  for (let round = 0; round < 4; round++) await devnet.passTime(ROUND.electedFor);
  expect(await roundsEarned(before)).toBe(2);
});

it('what passes at the same time is added up', async () => {
  const { now } = await client.getLastBlock();
  const passed = [ROUND.electedFor, ROUND.electedFor + ODD];
  const utimes = await Promise.all(passed.map(seconds => devnet.passTime(seconds)));
  expect(Math.max(...utimes)).toBeGreaterThanOrEqual(now + 2 * ROUND.electedFor + ODD);
});
