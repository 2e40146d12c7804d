import { Address, comment, internal, toNano } from '@ton/core';
import type { TonClient4 } from '@ton/ton';
import request from 'supertest';
import { NOMINATOR_POOLS } from '../../contracts/chain/ton-verified-contracts';
import { stakingMemberObservation } from '../../indexers/ton/observations/staking';
import { NominatorPool } from '../../infra/devnet/ton/staking/pool-contract';
import { depositBody, withdrawBody } from '../../infra/devnet/ton/staking/staking';
import { localWallet, transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { elections } from '../../infra/program/features/elections';
import { staking } from '../../infra/program/features/staking';
import { openReplacedServer, type ReplacedServer } from '../doubles/replaced-server';
import type { LocalNetwork } from '../ton/network';
import { friendly, rawOf, startTestnet } from '../ton/testnet';
import { until } from '../until';

const POOLS = NOMINATOR_POOLS.testnet.map(raw => Address.parseRaw(raw));
const [POOL, OTHER_POOL] = POOLS as [Address, Address];
/** The liquid pool that the wallet app sends among the others. */
const LIQUID_POOL = 'kQCSJnVYculwsyLUx_VT3qbIeYUs-nwfPsXjfo9VLYlIQuiD';
const FEES = toNano('0.2');
const ZEROS = { balance: '0', pendingDeposit: '0', pendingWithdraw: '0', withdraw: '0' };

let network: LocalNetwork;
let node: ReplacedServer;
let client: TonClient4;
let alice: LocalWallet;
let aheadMs = 0;

interface Info {
  readonly balance: string;
  readonly pendingDeposit: string;
  readonly pendingWithdraw: string;
  readonly withdraw: string;
  readonly seqno: number;
  readonly at: string;
}

const ask = (address: string, pools: readonly string[]): request.Test =>
  request(network.app).post('/staking/member/info').send({ isTestnet: true, address, pools });
const infoOf = async (address: Address, pools: readonly string[]): Promise<Record<string, Info>> =>
  (await ask(friendly(address), pools).expect(200)).body as Record<string, Info>;
const aliceIn = async (pool: Address): Promise<Info> =>
  (await infoOf(alice.contract.address, [friendly(pool)]))[friendly(pool)]!;

/** As the pool itself says. */
async function memberOf(pool: Address, member = alice.contract.address): Promise<Record<string, string>> {
  const funds = await client.open(new NominatorPool(pool)).getMember(member);
  return Object.fromEntries(Object.entries(funds).map(([name, amount]) => [name, String(amount)]));
}

const send = (pool: Address, value: bigint, body: Parameters<typeof internal>[0]['body']) =>
  transfer(client, alice, [internal({ to: pool, value, body })]);

/** Moves the chain on until the pool has given back what it has staked. */
async function passRound(): Promise<void> {
  const { liftAt } = await client.open(new NominatorPool(POOL)).getStakingStatus();
  await network.devnet.advanceTime(liftAt - (await client.getLastBlock()).now);
}

beforeAll(async () => {
  ({ network, client, alice } = await startTestnet({
    watched: true,
    features: [elections, staking],
    clock: () => new Date(Date.now() + aheadMs),
    nodeOf: async url => (node = await openReplacedServer(url)).url,
  }));
  await network.devnet.faucet(rawOf(alice), toNano(5_000));
});
afterEach(() => {
  node.answer = null;
});
afterAll(async () => {
  await network.close();
  await node.close();
});

it('has zeros where nothing is staked, in one answer with what is no nominator pool', async () => {
  const [asked, undeployed] = [
    friendly(POOL),
    friendly(localWallet('nobody', 'v5r1', 'testnet').contract.address),
  ];
  const pools = [asked, LIQUID_POOL, undeployed, friendly(alice.contract.address)];
  const infos = await infoOf(alice.contract.address, pools);
  expect(Object.keys(infos)).toEqual(pools);
  for (const pool of pools) expect(infos[pool]).toMatchObject(ZEROS);
});

it('has a deposit by comment and one by the binary message as soon as the account knows of it', async () => {
  await send(POOL, toNano(1_000) + FEES, comment('Deposit'));
  const first = await until(
    () => aliceIn(POOL),
    ({ pendingDeposit, balance }) => pendingDeposit + balance !== '00',
  );
  expect(BigInt(first.pendingDeposit) + BigInt(first.balance)).toBe(toNano(1_000));
  await send(OTHER_POOL, toNano(200) + FEES, depositBody());
  const both = await until(
    () => infoOf(alice.contract.address, POOLS.map(friendly)),
    infos =>
      infos[friendly(OTHER_POOL)]!.pendingDeposit !== '0' || infos[friendly(OTHER_POOL)]!.balance !== '0',
  );
  for (const pool of POOLS) {
    const { seqno, at, ...stake } = both[friendly(pool)]!;
    expect(seqno).toBeGreaterThan(0);
    expect(Date.parse(at)).toBeGreaterThan(0);
    expect(BigInt(stake.balance) + BigInt(stake.pendingDeposit)).toBe(
      pool === POOL ? toNano(1_000) : toNano(200),
    );
  }
});

/** Asks until the answer is what the pool itself says: what is stale is served, and refreshed behind. */
async function agreedIn(pool: Address): Promise<Info> {
  return until(async () => {
    aheadMs += 60_000;
    const [expected, info] = [await memberOf(pool), await aliceIn(pool)];
    expect(info).toMatchObject(expected);
    return info;
  });
}

it('has what the pool says after a round, through a withdrawal to its payment', async () => {
  await until(
    () => client.open(new NominatorPool(POOL)).getStakingStatus(),
    ({ locked, querySent }) => locked && !querySent,
  );
  expect(await agreedIn(POOL)).toMatchObject({ ...ZEROS, balance: String(toNano(1_000)) });
  await passRound();
  await until(
    () => memberOf(POOL),
    ({ balance }) => BigInt(balance!) > toNano(1_000),
  );
  expect(BigInt((await agreedIn(POOL)).balance)).toBeGreaterThan(toNano(1_000));

  await until(
    () => client.open(new NominatorPool(POOL)).getStakingStatus(),
    ({ locked, querySent }) => locked && !querySent,
  );
  await send(POOL, FEES, withdrawBody(toNano(100)));
  const requested = await until(
    () => aliceIn(POOL),
    ({ pendingWithdraw }) => pendingWithdraw !== '0',
  );
  expect(requested).toMatchObject(await memberOf(POOL));
  await passRound();
  await until(
    () => memberOf(POOL),
    ({ withdraw }) => withdraw !== '0',
  );
  expect(await agreedIn(POOL)).toMatchObject({ pendingWithdraw: '0', withdraw: String(toNano(100)) });
  await send(POOL, FEES, withdrawBody(toNano(100)));
  const paid = await until(
    () => aliceIn(POOL),
    ({ withdraw }) => withdraw === '0',
  );
  expect(paid).toMatchObject(await memberOf(POOL));
});

it('is read after a round, and once a withdrawal is ready, although nobody asks', async () => {
  const stored = network.deps.observed(stakingMemberObservation);
  const subject = {
    network: 'testnet' as const,
    member: alice.contract.address.toRawString(),
    pool: POOL.toRawString(),
  };
  const isStaked = () =>
    until(
      () => client.open(new NominatorPool(POOL)).getStakingStatus(),
      ({ locked, querySent }) => locked && !querySent,
    );
  /** Until what is stored is what the pool says, of which something is true. */
  const isStored = (isGood: (stake: Record<string, string>) => boolean) =>
    until(async () => {
      const { data } = (await stored.find(subject))!;
      expect(data).toEqual(await memberOf(POOL));
      return isGood(data);
    });
  await isStaked();
  const before = await agreedIn(POOL);
  await passRound();
  await isStored(({ balance }) => BigInt(balance!) > BigInt(before.balance));

  await isStaked();
  await send(POOL, FEES, withdrawBody(toNano(70)));
  await until(
    () => aliceIn(POOL),
    ({ pendingWithdraw }) => pendingWithdraw === String(toNano(70)),
  );
  await passRound();
  await isStored(({ withdraw }) => withdraw === String(toNano(70)));
});

it('a withdrawal from one of two pools with the same controller is served of that one alone', async () => {
  const { last } = await client.getLastBlock();
  const controllers = await Promise.all(
    [POOL, OTHER_POOL].map(async pool =>
      (await client.runMethod(last.seqno, pool, 'get_controller')).reader.readAddress().toRawString(),
    ),
  );
  expect(new Set(controllers).size).toBe(1);
  await until(
    () => client.open(new NominatorPool(OTHER_POOL)).getStakingStatus(),
    ({ locked, querySent }) => locked && !querySent,
  );
  const { withdraw, pendingWithdraw } = await agreedIn(POOL);
  expect(pendingWithdraw).toBe('0');
  await send(OTHER_POOL, FEES, withdrawBody(toNano(10)));
  const asked = await until(
    () => aliceIn(OTHER_POOL),
    ({ pendingWithdraw }) => pendingWithdraw !== '0',
  );
  expect(asked).toMatchObject(await memberOf(OTHER_POOL));
  expect(await agreedIn(POOL)).toMatchObject({ pendingWithdraw, withdraw });
  await passRound();
  await until(
    () => memberOf(OTHER_POOL),
    ({ withdraw }) => withdraw !== '0',
  );
  expect(await agreedIn(OTHER_POOL)).toMatchObject({ pendingWithdraw: '0', withdraw: String(toNano(10)) });
  expect(await agreedIn(POOL)).toMatchObject({ pendingWithdraw, withdraw });
});

it('answers under every form in which a pool is asked for', async () => {
  const forms = [
    friendly(POOL),
    POOL.toString({ testOnly: true, bounceable: false }),
    POOL.toString({ testOnly: true, urlSafe: false }),
    POOL.toString(),
    POOL.toRawString(),
  ];
  const infos = await infoOf(alice.contract.address, [...forms, friendly(POOL)]);
  expect(Object.keys(infos)).toEqual([...new Set(forms)]);
  expect(new Set(Object.values(infos).map(info => JSON.stringify(info))).size).toBe(1);
  expect(infos[POOL.toRawString()]).toMatchObject(await memberOf(POOL));
});

it('has zeros for the owner and for the pool itself, as the pool says', async () => {
  const owner = await client.open(new NominatorPool(POOL)).getOwner();
  const proxy = await client.open(new NominatorPool(POOL)).getProxy();
  for (const member of [owner, POOL, proxy])
    expect((await infoOf(member, [friendly(POOL)]))[friendly(POOL)]).toMatchObject(ZEROS);
});

it('serves the last good value, with its age, while the getter of a pool fails', async () => {
  const { balance } = await agreedIn(POOL);
  let failures = 0;
  node.answer = ({ url }, response) => {
    if (!url!.includes('/run/get_member')) return false;
    failures++;
    const seqno = Number(/block\/(\d+)/.exec(url!)![1]);
    const block = { workchain: -1, seqno, shard: '-9223372036854775808', rootHash: '', fileHash: '' };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ exitCode: 11, resultRaw: null, block, shardBlock: block }));
    return true;
  };
  const fails = async (): Promise<void> => {
    const before = failures;
    // What was read as of a block is not read again.
    await network.devnet.simulation.produceBlock();
    aheadMs += 60_000;
    await until(async () => (await aliceIn(POOL)) && failures > before);
  };
  // From then on nothing that was read before is on its way.
  await fails();
  const last = await aliceIn(POOL);
  expect(last).toMatchObject({ balance });
  await fails();
  expect(await aliceIn(POOL)).toEqual(last);
});

it('reads several pools at the same time', async () => {
  const nobody = localWallet('nobody', 'v4r2', 'testnet').contract.address;
  const waiting: (() => void)[] = [];
  node.answer = ({ url }, response) => {
    if (!url!.includes('/run/get_member')) return false;
    // Answered once both are asked, which never happens where one waits for the other.
    waiting.push(() => response.writeHead(500).end());
    if (waiting.length === POOLS.length) node.answer = null;
    if (waiting.length === POOLS.length) waiting.forEach(answer => answer());
    return true;
  };
  const infos = await infoOf(nobody, POOLS.map(friendly));
  expect(waiting).toHaveLength(POOLS.length);
  for (const info of Object.values(infos)) expect(info).toMatchObject(ZEROS);
});

it.each([
  [
    'more pools than wallets have',
    { pools: Array.from({ length: 1_000 }, () => POOL.toRawString()) },
    '/body/pools',
  ],
  ['a pool that is no address', { pools: [POOL.toRawString(), 'pool'] }, '/body/pools/1'],
  [
    'a test-only pool on mainnet',
    { isTestnet: false, pools: [POOL.toRawString(), friendly(POOL)] },
    '/body/pools/1',
  ],
  ['no pools', { pools: undefined }, '/body/pools'],
  ['a network in words', { isTestnet: 'true' }, '/body/isTestnet'],
  ['a member that is no address', { address: 'alice' }, '/body/address'],
])('refuses %s and names the field', async (_, wrong, pointer) => {
  const good = { isTestnet: true, address: alice.contract.address.toRawString(), pools: [] };
  const { body } = await request(network.app)
    .post('/staking/member/info')
    .send({ ...good, ...wrong })
    .expect(400);
  expect(body).toMatchObject({ ok: false, errors: [{ pointer }] });
});
