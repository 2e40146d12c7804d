import { internal, toNano, type Address, type Cell } from '@ton/core';
import { TonClient4 } from '@ton/ton';
import { MongoClient } from 'mongodb';
import { hasStake, type StakeOfMember } from '../../contracts/chain/ton-staking';
import type { Observation } from '../../contracts/observation/observation';
import { liquidDepositBody } from '../../infra/devnet/ton/staking/liquid/liquid';
import { LiquidPool } from '../../infra/devnet/ton/staking/liquid/liquid-contracts';
import { localLiquidPool } from '../../infra/devnet/ton/staking/liquid/local-liquid-pool';
import { localStakingPools } from '../../infra/devnet/ton/staking/local-pools';
import { NominatorPool } from '../../infra/devnet/ton/staking/pool-contract';
import { depositBody } from '../../infra/devnet/ton/staking/staking';
import { localWallet, transfer } from '../../infra/devnet/ton/wallets';
import { liquidPoolObservation } from '../../indexers/ton/observations/liquid-pool';
import { stakingMemberObservation } from '../../indexers/ton/observations/staking';
import { observedCollection } from '../../projections/observations/projection';
import { send } from '../e2e/client';
import type { LocalNetworks } from '../e2e/installation';
import { LOCAL_MAINNETS } from '../local-networks';
import { until } from '../until';
import { startDedicatedServers, type DedicatedServers } from './tidemark/dedicated-servers';
import { openFleet, type Fleet } from './tidemark/fleet';

/** What one process sees in a block, a second one reads again, a third one stores, and a fourth one serves. */

const FEES = toNano('0.2');
const { address: LIQUID_POOL } = localLiquidPool('mainnet');
const NOMINATORS = localStakingPools('mainnet')[0]!.address;
const alice = localWallet('alice', 'v5r1', 'mainnet');
const MEMBER = alice.contract.address;

let servers: DedicatedServers;
let fleet: Fleet;
let mongo: MongoClient;
let client: TonClient4;

/** The data that is stored of a subject, read without asking the API, which may have it read again. */
async function stored<Subject, Data>(of: Observation<Subject, Data>, subject: Subject): Promise<Data | null> {
  const name = observedCollection(of);
  const { databases } = await mongo.db().admin().listDatabases();
  for (const { name: database } of databases)
    for (const each of await mongo.db(database).listCollections().toArray()) {
      if (!each.name.startsWith(name)) continue;
      const _id = of.subject.format(subject);
      const found = await mongo
        .db(database)
        .collection<{ _id: string; data: Data }>(each.name)
        .findOne({ _id });
      if (found) return found.data;
    }
  return null;
}
const storedStake = () =>
  stored(stakingMemberObservation, {
    network: 'mainnet',
    member: MEMBER.toRawString(),
    pool: NOMINATORS.toRawString(),
  });
async function stake(): Promise<StakeOfMember> {
  const funds = await client.open(new NominatorPool(NOMINATORS)).getMember(MEMBER);
  const texts = Object.entries(funds).map(([name, amount]) => [name, String(amount)]);
  return Object.fromEntries(texts) as StakeOfMember;
}
const pay = (to: Address, value: bigint, body: Cell): Promise<void> =>
  transfer(client, alice, [internal({ to, value, body })]);

beforeAll(async () => {
  servers = await startDedicatedServers();
  mongo = await new MongoClient(servers.running.mongodb.url).connect();
  fleet = await openFleet(servers.settings, LOCAL_MAINNETS);
  const [networks] = await fleet.add('networks');
  await Promise.all(['api', 'indexer-ton', 'jobs', 'projections'].map(role => fleet.add(role)));
  const { ton } = (await send(networks!.url, 'GET', '/devnet')).body as LocalNetworks;
  const { endpoint } = ton.find(({ network }) => network === 'mainnet')!;
  client = new TonClient4({ endpoint, timeout: 120_000 });
  const grant = { address: MEMBER.toRawString(), amount: String(toNano(5_000)) };
  expect((await send(`${endpoint}/faucet`, 'POST', '', { body: JSON.stringify(grant) })).status).toBe(200);
  await until(async () => {
    const { last } = await client.getLastBlock();
    return BigInt((await client.getAccountLite(last.seqno, MEMBER)).account.balance.coins) > 0n;
  });
});
afterAll(async () => {
  await fleet?.stop();
  await mongo?.close();
  await servers?.stop();
});

test('a member of a pool is read again after it has deposited, though nobody asks', async () => {
  const [api] = fleet.of('api');
  await pay(NOMINATORS, toNano(100) + FEES, depositBody());
  await until(async () => hasStake(await stake()));
  const asked = { isTestnet: false, address: MEMBER.toString(), pools: [NOMINATORS.toString()] };
  const body = JSON.stringify(asked);
  await until(async () => {
    await send(api!.url, 'POST', '/staking/member/info', { body });
    const found = await storedStake();
    return found !== null && hasStake(found);
  });
  await pay(NOMINATORS, toNano(70) + FEES, depositBody());
  const sum = (of: StakeOfMember): bigint => BigInt(of.balance) + BigInt(of.pendingDeposit);
  await until(async () => sum(await stake()) >= toNano(170));
  await until(async () => JSON.stringify(await storedStake()) === JSON.stringify(await stake()));
});

test('the liquid pool is read again after somebody has deposited, though nobody asks', async () => {
  const [api] = fleet.of('api');
  const pool = client.open(new LiquidPool(LIQUID_POOL));
  const storedPool = () => stored(liquidPoolObservation, { network: 'mainnet' });
  // What nobody has ever asked for is not read.
  await until(async () => {
    await send(api!.url, 'GET', '/staking/mainnet/pool/liquid/info');
    return (await storedPool()) !== null;
  });
  const before = (await pool.getPoolStatus()).balance;
  await pay(
    LIQUID_POOL,
    toNano(1_000) + FEES,
    liquidDepositBody({ amount: toNano(1_000), response: MEMBER }),
  );
  await until(async () => (await pool.getPoolStatus()).balance >= before + toNano(1_000));
  await until(async () => {
    const found = await storedPool();
    return found?.totalBalance === String((await pool.getPoolStatus()).balance);
  });
});
