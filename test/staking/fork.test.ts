import { Address, comment, internal, toNano, type Cell } from '@ton/core';
import { TonClient4 } from '@ton/ton';
import request from 'supertest';
import { NOMINATOR_POOLS } from '../../contracts/chain/ton-verified-contracts';
import type { FeeRow } from '../../contracts/http/billing/responses';
import type { ApyOfRound } from '../../contracts/http/staking/indexer';
import { formatAmount } from '../../contracts/money/money';
import type { TonDevnet } from '../../infra/devnet/ton/devnet';
import { NominatorPool } from '../../infra/devnet/ton/staking/pool-contract';
import { depositBody } from '../../infra/devnet/ton/staking/staking';
import { localWallet, transfer } from '../../infra/devnet/ton/wallets';
import { billing } from '../../infra/program/features/billing';
import { elections } from '../../infra/program/features/elections';
import { erasure } from '../../infra/program/features/erasure';
import { ledger } from '../../infra/program/features/ledger-tree';
import { pushStaking } from '../../infra/program/features/push/staking';
import { staking } from '../../infra/program/features/staking';
import { ownedStakingPools } from '../../infra/program/features/staking/owned-pools';
import { ton } from '../../infra/program/features/ton';
import { tonConfig } from '../../infra/program/features/ton-config';
import { watch } from '../../infra/program/features/watch';
import { isLogProjection } from '../../projections/projection';
import { askAsFinance } from '../billing/finance';
import { quietDevnet } from '../devnet/ton';
import { startPushProgram, type PushProgram } from '../push/program';
import { temporaryFolder } from '../temporary-folder';
import { fork } from '../ton/fork';
import { addressOf, friendly, rawOf } from '../ton/testnet';
import { until } from '../until';

/** A member of a pool of the instance, on a local testnet of which a fork takes back the end of a round and a deposit. */

const POOL = Address.parseRaw(NOMINATOR_POOLS.testnet[0]!);
const FEES = toNano('0.2');
const [FIRST, LOST, LATER] = [toNano(10_000), toNano(500), toNano(300)];

const alice = localWallet('alice', 'v5r1', 'testnet');
const member = alice.contract.address;
let devnet: TonDevnet;
let client: TonClient4;
let program: PushProgram;
const folder = temporaryFolder();

const settings = () => ({ TON_RPC_URL_TESTNET: devnet.url, INSTANCE_CURRENCY: 'TON' });
const pool = () => client.open(new NominatorPool(POOL));
const deposit = (amount: bigint, body: Cell) =>
  transfer(client, alice, [internal({ to: POOL, value: amount + FEES, body })]);

async function post<Body>(path: string, body: object): Promise<Body> {
  const answer = await request(program.app).post(path).send(body).expect(200);
  return answer.body as Body;
}

/** The rounds that the staking indexer knows, oldest first. */
const rounds = () =>
  post<readonly ApyOfRound[]>('/staking-indexer/indexer/pool/apy', { address: friendly(POOL) });

interface Nominator {
  readonly profitAmount: string;
  readonly totalDepositAmount: string;
  readonly deposits: readonly { readonly amount: string; readonly trigger: string }[];
}

async function nominator(): Promise<Nominator> {
  const asked = { pool: friendly(POOL), addr: friendly(member) };
  return (await post<{ nominator: Nominator }>('/staking-indexer/indexer/nominator', asked)).nominator;
}

async function stake(): Promise<Record<string, string>> {
  const asked = { isTestnet: true, address: friendly(member), pools: [friendly(POOL)] };
  return (await post<Record<string, Record<string, string>>>('/staking/member/info', asked))[friendly(POOL)]!;
}

async function fees(): Promise<readonly FeeRow[]> {
  const asked = { action: 'list_fee_ledger', pageSize: 200 };
  return (await askAsFinance<{ rows: FeeRow[] }>(program, asked)).rows;
}

const collected = async () =>
  (await fees())
    .filter(row => row.collection_status === 'collected')
    .map(row => [row.created_at, row.fee_amount])
    .sort();

/** What the owner has earned in a round beside its own stake, by what the get methods say before and after it. */
async function shareOf({ before, after, time }: ApyOfRound): Promise<readonly [time: string, share: string]> {
  const owner = (await pool().getOwner()).toRawString();
  const [earlier, later] = await Promise.all(
    [before, after].map(async ({ seqno }) => {
      const then = client.openAt(seqno, new NominatorPool(POOL));
      const [{ balance }, members] = await Promise.all([then.getPoolStatus(), then.getMembers()]);
      return { balance, own: members.get(owner)!.balance };
    }),
  );
  const profit = later!.balance - earlier!.balance;
  const share = later!.own - earlier!.own - (earlier!.own * profit) / earlier!.balance;
  return [time, formatAmount(share * 10n ** 9n)];
}

/** Moves the chain on until the pool has given back what it has staked, and has staked again. */
async function passRound(): Promise<void> {
  const { stakeAt, liftAt } = await until(
    () => pool().getStakingStatus(),
    ({ locked, querySent }) => locked && !querySent,
  );
  await devnet.advanceTime(Math.max(1, liftAt - (await client.getLastBlock()).now));
  await until(
    () => pool().getStakingStatus(),
    status => status.stakeAt !== stakeAt,
  );
}

/** Everything that is served is what the pool says itself. */
async function expectTruth(count: number, deposited: readonly bigint[]): Promise<void> {
  await until(async () => {
    const known = await rounds();
    expect(known).toHaveLength(count);
    const shares = await Promise.all(known.map(shareOf));
    expect(await collected()).toEqual([...shares].sort());
    return true;
  });
  await until(async () => {
    await devnet.simulation.produceBlock();
    const funds = await pool().getMember(member);
    expect(await stake()).toMatchObject(
      Object.fromEntries(Object.entries(funds).map(([name, amount]) => [name, String(amount)])),
    );
    const total = deposited.reduce((sum, amount) => sum + amount);
    const earned = funds.balance + funds.pendingDeposit + funds.withdraw - total;
    const served = await nominator();
    expect(served).toMatchObject({ totalDepositAmount: String(total), profitAmount: String(earned) });
    expect(served.deposits.map(({ amount }) => amount)).toEqual(deposited.map(String));
    return true;
  });
}

beforeAll(async () => {
  devnet = await quietDevnet({ network: 'testnet' });
  client = new TonClient4({ endpoint: devnet.url, timeout: 60_000 });
  program = await startPushProgram(
    undefined,
    {
      ...settings(),
      OWNED_STAKING_POOLS_TESTNET: friendly(POOL),
      AS_OF_IN_THREAD: 'false',
    },
    [watch, ton, staking, pushStaking, ownedStakingPools, billing, ledger, erasure],
    { beside: [elections, tonConfig], folder },
  );
  await devnet.faucet(rawOf(alice), toNano(20_000));
  await deposit(FIRST, comment('Deposit'));
  await until(
    () => pool().getMember(member),
    ({ balance, pendingDeposit }) => balance + pendingDeposit > 0n,
  );
  expect(await program.register('203.0.113.7', 'alices', { addresses: [addressOf(alice)] })).toMatchObject({
    status: 200,
  });
});
afterAll(async () => {
  await program.stop();
  await devnet.close();
});

it('a fork that takes back the end of a round and a deposit leaves nothing of them, and what follows is as the pool says', async () => {
  for (let n = 0; n < 3; n++) await passRound();
  await expectTruth(3, [FIRST]);
  await deposit(LOST, depositBody());
  await expectTruth(3, [FIRST, LOST]);
  const [lost] = (await rounds()).slice(-1) as [ApyOfRound];
  const notified = await until(
    () => program.notified('staking_round'),
    found => found.length === 3,
  );

  const programs = [{ program, folder, settings: settings() }];
  await fork({ network: 'testnet', devnet, programs }, lost.before.seqno);

  await expectTruth(3, [FIRST]);
  const [again] = (await rounds()).slice(-1) as [ApyOfRound];
  expect(again.round).toBe(lost.round);
  expect(again.time).not.toBe(lost.time);
  const reversed = (await fees()).filter(row => row.collection_status === 'reversed');
  expect(reversed.map(row => row.created_at)).toEqual([lost.time]);

  await deposit(LATER, depositBody());
  await expectTruth(3, [FIRST, LATER]);
  // Nobody is told twice of a round that has ended twice, and everybody of the next one.
  expect(await program.notified('staking_round')).toEqual(notified);
  await passRound();
  await expectTruth(4, [FIRST, LATER]);
  expect(
    await until(
      () => program.notified('staking_round'),
      found => found.length > notified.length,
    ),
  ).toEqual([...notified, 'alices']);
});

it('a rebuild gives the same documents', async () => {
  const { features, engine } = program.deps;
  for (const projection of features.projections.filter(isLogProjection)) {
    const { comparison } = await engine.rebuild(projection.name, { ...program.deps, switchWhen: 'never' });
    expect([projection.name, comparison?.different]).toEqual([projection.name, 0]);
  }
});
