import {
  Address,
  beginCell,
  Cell,
  comment,
  contractAddress,
  internal,
  toNano,
  type TupleReader,
} from '@ton/core';
import type { TonClient4 } from '@ton/ton';
import request from 'supertest';
import { NOMINATOR_POOLS } from '../../contracts/chain/ton-verified-contracts';
import type { NominatorAnswer } from '../../contracts/http/staking/indexer';
import type { MemberInfo } from '../../contracts/http/staking/member';
import { stakingMemberObservation } from '../../indexers/ton/observations/staking';
import { poolOwner } from '../../infra/devnet/ton/staking/local-pools';
import { NominatorPool } from '../../infra/devnet/ton/staking/pool-contract';
import { depositBody, updateBody, upgradeBody, withdrawBody } from '../../infra/devnet/ton/staking/staking';
import { localWallet, transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { elections } from '../../infra/program/features/elections';
import { staking } from '../../infra/program/features/staking';
import type { LocalNetwork } from '../ton/network';
import { friendly, rawOf, startTestnet } from '../ton/testnet';
import { until } from '../until';

const POOLS = NOMINATOR_POOLS.testnet.map(raw => Address.parseRaw(raw));
const [POOL, OTHER_POOL] = POOLS as [Address, Address];
const FEES = toNano('0.2');
const ZEROS = { balance: '0', pendingDeposit: '0', pendingWithdraw: '0', withdraw: '0' };

let network: LocalNetwork;
let client: TonClient4;
let alice: LocalWallet;
let bob: LocalWallet;
let aheadMs = 0;

const ask = (member: Address, pools: readonly string[]): request.Test =>
  request(network.app)
    .post('/staking/member/info')
    .send({ isTestnet: true, address: friendly(member), pools });
const infoOf = async (member: Address, pools: readonly string[]): Promise<Record<string, MemberInfo>> =>
  (await ask(member, pools).expect(200)).body as Record<string, MemberInfo>;
const aliceIn = async (pool: Address): Promise<MemberInfo> =>
  (await infoOf(alice.contract.address, [friendly(pool)]))[friendly(pool)]!;
const send = (value: bigint, body: Cell) => transfer(client, alice, [internal({ to: POOL, value, body })]);

/** As the pool itself says. */
async function inPool(pool = POOL): Promise<Record<string, string>> {
  const funds = await client.open(new NominatorPool(pool)).getMember(alice.contract.address);
  return Object.fromEntries(Object.entries(funds).map(([name, amount]) => [name, String(amount)]));
}

/** Asks until the answer is what the pool itself says, of which something is true. */
const agreed = (
  isGood: (stake: Record<string, string>) => boolean = () => true,
  pool = POOL,
): Promise<MemberInfo> =>
  until(async () => {
    aheadMs += 60_000;
    const [expected, info] = [await inPool(pool), await aliceIn(pool)];
    expect(info).toMatchObject(expected);
    expect([isGood(expected), expected]).toEqual([true, expected]);
    return info;
  });

/** What she has moved and earned, as of now. */
const nominator = (isGood: (found: NominatorAnswer) => boolean = () => true): Promise<NominatorAnswer> =>
  until(async () => {
    aheadMs += 60_000;
    const { body } = await request(network.app)
      .post('/staking-indexer/indexer/nominator')
      .send({ pool: friendly(POOL), addr: friendly(alice.contract.address) })
      .expect(200);
    const { nominator: found } = body as { nominator: NominatorAnswer };
    expect([isGood(found), found]).toEqual([true, found]);
    return found;
  });

const apy = async (): Promise<unknown> =>
  (
    await request(network.app)
      .post('/staking-indexer/indexer/pool/apy')
      .send({ address: friendly(POOL) })
      .expect(200)
  ).body;

const isStaked = () =>
  until(
    () => client.open(new NominatorPool(POOL)).getStakingStatus(),
    ({ locked, querySent }) => locked && !querySent,
  );

beforeAll(async () => {
  ({ network, client, alice, bob } = await startTestnet({
    watched: true,
    features: [elections, staking],
    clock: () => new Date(Date.now() + aheadMs),
    settings: { TRUSTED_PROXIES: '1', RATE_LIMIT_CONTRACT_READS: '150' },
  }));
  await network.devnet.faucet(rawOf(alice), toNano(5_000));
});
afterAll(() => network.close());

describe('a contract that says to be a pool', () => {
  const INTERFACES = [123515602279859691144772641439386770278n, 256184278959413194623484780286929323492n];
  /** PUSHINT of 131 bits. */
  const pushed = (value: bigint) => beginCell().storeUint(0x82, 8).storeUint(14, 5).storeInt(value, 131);

  /**
   * Answers `get_member`, the method with one argument, with what these instructions (whole bytes) leave; all else with the
   * interfaces of a pool.
   */
  function pretender(getMember: string): {
    readonly address: Address;
    readonly init: { code: Cell; data: Cell };
  } {
    const code = beginCell()
      // DROP DEPTH 1 EQINT, then PUSHCONT and IFJMP.
      .storeBuffer(Buffer.from('3068c001', 'hex'))
      .storeUint(0x90 + getMember.length / 2, 8)
      .storeBuffer(Buffer.from(getMember, 'hex'))
      .storeUint(0xe0, 8)
      .storeBuilder(pushed(INTERFACES[0]!))
      .storeBuilder(pushed(INTERFACES[1]!))
      .endCell();
    const init = { code, data: Cell.EMPTY };
    return { address: contractAddress(0, init), init };
  }

  const run = async (
    address: Address,
    method: string,
  ): Promise<{ exitCode: number; reader: TupleReader }> => {
    const { last } = await client.getLastBlock();
    const cell = beginCell().storeAddress(alice.contract.address).endCell();
    return client.runMethod(
      last.seqno,
      address,
      method,
      method === 'get_member' ? [{ type: 'slice', cell }] : [],
    );
  };

  it.each([
    [
      'an honest stake',
      '3071727374',
      0,
      { ...ZEROS, balance: '1', pendingDeposit: '2', pendingWithdraw: '3', withdraw: '4' },
    ],
    // DROP, then 2^256 - 1 four times.
    ['the largest integers', '3084ff84ff84ff84ff', 0, ZEROS],
    ['integers below zero', '307f7f7f7f', 0, ZEROS],
    ['tuples', '306f006f006f006f00', 0, ZEROS],
    ['nulls', '306d6d6d6d', 0, ZEROS],
    ['the address that it was asked for', '20', 0, ZEROS],
    ['nothing', '30', 0, ZEROS],
    // AGAIN of an empty continuation.
    ['when all gas is used', '90ea', -14, ZEROS],
  ] as const)('and answers %s', async (_, getMember, exitCode, expected) => {
    const { address, init } = pretender(getMember);
    await transfer(client, alice, [internal({ to: address, value: toNano('0.5'), init, bounce: false })]);
    await until(
      async () => (await run(address, 'supported_interfaces')).reader.readBigNumber() === INTERFACES[0],
    );
    expect((await run(address, 'get_member')).exitCode).toBe(exitCode);
    const infos = await infoOf(alice.contract.address, [friendly(address), friendly(POOL)]);
    expect(infos[friendly(address)]).toMatchObject(expected);
    expect(infos[friendly(POOL)]).toMatchObject(await inPool());
    // Whatever it says, it is not one that is followed.
    const { body } = await request(network.app)
      .post('/staking-indexer/indexer/nominator')
      .send({ pool: friendly(address), addr: friendly(alice.contract.address) })
      .expect(200);
    expect(body).toEqual({ nominator: null, isFollowed: false });
  });
});

it('a pool of the other network is none of this one', async () => {
  const pools = NOMINATOR_POOLS.mainnet.map(raw => Address.parseRaw(raw).toString());
  const infos = await infoOf(alice.contract.address, pools);
  expect(Object.keys(infos)).toEqual(pools);
  for (const info of Object.values(infos)) expect(info).toMatchObject(ZEROS);
});

it('a deposit cancels a withdrawal that is pending, and is served so', async () => {
  await send(toNano(1_000) + FEES, comment('Deposit'));
  await isStaked();
  await send(FEES, withdrawBody(toNano(100)));
  await agreed(({ pendingWithdraw }) => pendingWithdraw === String(toNano(100)));
  await send(toNano(50) + FEES, depositBody());
  const { pendingWithdraw } = await agreed(({ pendingDeposit }) => pendingDeposit === String(toNano(50)));
  expect(pendingWithdraw).toBe('0');
});

it('a stranger who makes up pools leaves nothing behind, and is refused in the end; a member is not', async () => {
  const { collection } = network.deps.observed(stakingMemberObservation);
  const [stored, before] = [await network.views.count(collection), await agreed()];
  const statuses: number[] = [];
  for (let n = 0; n < 4; n++) {
    const pools = Array.from({ length: 100 }, (_, i) => `0:${(n * 100 + i).toString(16).padStart(64, 'e')}`);
    const { status } = await ask(bob.contract.address, pools).set('X-Forwarded-For', '198.51.100.1');
    statuses.push(status);
    expect((await aliceIn(POOL)).balance).toBe(before.balance);
  }
  expect(statuses).toEqual([200, 429, 429, 429]);
  expect(await network.views.count(collection)).toBe(stored);
});

async function sendAsOwner(body: Cell): Promise<void> {
  const { wallet, key } = poolOwner('testnet');
  await network.devnet.faucet(wallet.address.toRawString(), toNano(5));
  const owner: LocalWallet = {
    ...localWallet('owner', 'v5r1', 'testnet'),
    contract: wallet,
    signer: async message => key.sign(message.hash()),
  };
  await transfer(client, owner, [internal({ to: POOL, value: toNano(1), body })]);
}

it('what was deposited before the owner of a pool changed its fees counts without those of then', async () => {
  const { deposits, profitAmount } = await nominator(({ deposits }) => deposits.length === 2);
  const params = await client.open(new NominatorPool(POOL)).getParams();
  const [depositFee, receiptPrice] = [toNano('0.7'), toNano('0.3')];
  await sendAsOwner(updateBody({ ...params, depositFee, receiptPrice }));
  await until(
    () => client.open(new NominatorPool(POOL)).getParams(),
    now => now.depositFee === depositFee,
  );
  await send(toNano(21), depositBody());
  // The fees are read again every ten minutes.
  aheadMs += 600_000;
  const later = await nominator(found => found.deposits.length === 3 && found.profitAmount === profitAmount);
  expect(later.deposits.slice(0, 2)).toEqual(deposits);
  expect(later.deposits[2]!.amount).toBe(String(toNano(20)));
});

describe('a pool that was given other code', () => {
  /** DROP: its methods answer with what they were asked. */
  const CODE = beginCell().storeUint(0x30, 8).endCell();

  it('has what members had when it still answered, with its age, what they have earned, and nothing for others', async () => {
    const { liftAt } = await isStaked();
    await network.devnet.advanceTime(liftAt - (await client.getLastBlock()).now);
    const last = await agreed(({ balance }) => BigInt(balance!) > toNano(1_050));
    const {
      seqno: _seqno,
      at: _at,
      ...earned
    } = await nominator(({ balance, profits }) => balance === last.balance && profits.length > 0);
    const yields = await apy();
    await sendAsOwner(upgradeBody(CODE));
    await until(async () => {
      const { last } = await client.getLastBlock();
      return (await client.runMethod(last.seqno, POOL, 'get_owner')).result.length === 0;
    });
    const upgraded = (await client.getLastBlock()).last.seqno;
    for (let n = 0; n < 3; n++) {
      aheadMs += 60_000;
      const { seqno, at, ...stake } = await aliceIn(POOL);
      expect(last).toMatchObject(stake);
      expect(seqno).toBeLessThan(upgraded);
      expect(Date.parse(at)).toBeLessThan(Date.now() + aheadMs);
      expect(await nominator()).toMatchObject(earned);
      expect(await apy()).toEqual(yields);
    }
    const others = await infoOf(bob.contract.address, [friendly(POOL)]);
    expect(others[friendly(POOL)]).toMatchObject(ZEROS);
  });
});

it('a fork that takes a deposit back with its acceptance takes the balance back', async () => {
  const { last } = await client.getLastBlock();
  await transfer(client, alice, [
    internal({ to: OTHER_POOL, value: toNano(30) + FEES, body: depositBody() }),
  ]);
  await until(async () => {
    if ((await inPool(OTHER_POOL))['balance'] !== '0') return true;
    await network.devnet.advanceTime(4_096);
    return false;
  });
  const accepted = await agreed(({ balance }) => balance === String(toNano(30)), OTHER_POOL);

  await network.devnet.simulation.pause();
  await network.devnet.simulation.rollbackTo(last.seqno);
  await network.devnet.simulation.resume();
  while ((await client.getLastBlock()).last.seqno <= accepted.seqno!)
    await network.devnet.simulation.produceBlock();
  expect(await agreed(() => true, OTHER_POOL)).toMatchObject(ZEROS);
});
