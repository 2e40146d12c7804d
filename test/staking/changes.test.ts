import { beginCell, internal, serializeTuple, toNano, type Cell } from '@ton/core';
import { ElectorContract, JettonWallet, type TonClient4 } from '@ton/ton';
import request from 'supertest';
import { hasStake, wholeStake, type StakeOfMember } from '../../contracts/chain/ton-staking';
import { ROUND } from '../../infra/devnet/ton/elections/schedule';
import { jettonTransferBody, jettonWalletAddress } from '../../infra/devnet/ton/jetton/jetton';
import { liquidDepositBody, liquidWalletAddress } from '../../infra/devnet/ton/staking/liquid/liquid';
import { LiquidPool, LiquidWallet } from '../../infra/devnet/ton/staking/liquid/liquid-contracts';
import { localLiquidPool } from '../../infra/devnet/ton/staking/liquid/local-liquid-pool';
import { localStakingPools } from '../../infra/devnet/ton/staking/local-pools';
import { NominatorPool } from '../../infra/devnet/ton/staking/pool-contract';
import { depositBody, withdrawBody } from '../../infra/devnet/ton/staking/staking';
import { type Actor, createActors } from '../../infra/devnet/ton/traffic/actors';
import { localUsde } from '../../infra/devnet/ton/usde/local-usde';
import { stakeBody, stakedWalletAddress, unstakeBody, USDE_VALUE } from '../../infra/devnet/ton/usde/usde';
import { StakedUsdeWallet, UsdeVault } from '../../infra/devnet/ton/usde/usde-contracts';
import { transfer } from '../../infra/devnet/ton/wallets';
import { elections } from '../../infra/program/features/elections';
import { staking } from '../../infra/program/features/staking';
import { usde } from '../../infra/program/features/usde';
import { tonElectionsObservation } from '../../indexers/ton/observations/elections';
import { liquidMemberObservation } from '../../indexers/ton/observations/liquid-member';
import { liquidPoolObservation } from '../../indexers/ton/observations/liquid-pool';
import { stakingMemberObservation } from '../../indexers/ton/observations/staking';
import { stakingStatusObservation } from '../../indexers/ton/observations/staking-status';
import { usdeMemberObservation } from '../../indexers/ton/observations/usde-member';
import { sharePriceObservation } from '../../indexers/ton/observations/usde-price';
import { openReplacedServer, type ReplacedServer } from '../doubles/replaced-server';
import type { LocalNetwork } from '../ton/network';
import { friendly, rawOf, startTestnet } from '../ton/testnet';
import { until } from '../until';

const NETWORK = { network: 'testnet' } as const;
const { address: POOL } = localLiquidPool('testnet');
const NOMINATORS = localStakingPools('testnet')[0]!.address;
/** Nanotons: of a deposit or a withdrawal, with its receipt. */
const FEES = toNano('0.2');
const { usde: USDE, stakedUsde: STAKED, vault: VAULT } = localUsde('testnet');
const [issuer, alice, bob] = createActors('testnet') as [Actor, Actor, Actor];
const subjectOf = (of: Actor) => ({ ...NETWORK, address: rawOf(of) });
let network: LocalNetwork;
let client: TonClient4;
let node: ReplacedServer;

/** Reads once, as a wallet does: from then on it is followed. */
const ask = (path: string, of?: Actor) =>
  until(async () => {
    const call = of
      ? request(network.app)
          .post(path)
          .send({ isTestnet: true, address: friendly(of.contract.address) })
      : request(network.app).get(path);
    expect((await call.expect(200)).body).not.toBeNull();
    return true;
  });
const liquidMember = (of: Actor) => network.deps.observed(liquidMemberObservation).find(subjectOf(of));
const usdeMember = (of: Actor) => network.deps.observed(usdeMemberObservation).find(subjectOf(of));

const deposit = (of: Actor, amount: bigint) =>
  transfer(client, of, [
    internal({
      to: POOL,
      value: amount + toNano('0.2'),
      body: liquidDepositBody({ amount, response: of.contract.address }),
    }),
  ]);
const stakeUsde = (of: Actor, amount: bigint) =>
  transfer(client, of, [
    internal({
      to: jettonWalletAddress(USDE, of.contract.address),
      value: USDE_VALUE,
      body: stakeBody({ to: VAULT, amount, response: of.contract.address }),
    }),
  ]);
const wsTonOf = async ({ contract: { address: owner } }: Actor): Promise<string> => {
  const { balance } = await client
    .open(new LiquidWallet(liquidWalletAddress({ pool: POOL, owner })))
    .getWalletData();
  return String(balance);
};

beforeAll(async () => {
  ({ network, client } = await startTestnet({
    watched: false,
    features: [elections, staking, usde],
    nodeOf: async url => (node = await openReplacedServer(url)).url,
  }));
  for (const actor of [issuer, alice, bob]) await network.devnet.faucet(rawOf(actor), toNano(5_000));
  await deposit(alice, toNano(1_000));
  await until(async () => (await wsTonOf(alice)) !== '0');
});
afterAll(async () => {
  await network.close();
  await node.close();
});

describe('members of a nominator pool', () => {
  const stakers = [bob, issuer];
  const known = (of: Actor) =>
    network.deps.observed(stakingMemberObservation).find({
      ...NETWORK,
      member: rawOf(of),
      pool: NOMINATORS.toRawString(),
    });
  const saysOf = async ({ contract: { address } }: Actor): Promise<StakeOfMember> => {
    const funds = await client.open(new NominatorPool(NOMINATORS)).getMember(address);
    const texts = Object.entries(funds).map(([name, amount]) => [name, String(amount)]);
    return Object.fromEntries(texts) as StakeOfMember;
  };
  const send = (of: Actor, value: bigint, body: Cell) =>
    transfer(client, of, [internal({ to: NOMINATORS, value, body })]);
  /** How often the node was asked what a member has. */
  const readsOf = ({ contract: { address } }: Actor): number => {
    const args = serializeTuple([{ type: 'slice', cell: beginCell().storeAddress(address).endCell() }]);
    const asked = args.toBoc({ idx: false, crc32: false }).toString('base64url');
    return node.requests.filter(path => path.includes(`/get_member/${asked}`)).length;
  };

  async function join(member: Actor): Promise<void> {
    await send(member, toNano(100) + FEES, depositBody());
    await until(async () => hasStake(await saysOf(member)));
    const asked = { isTestnet: true, address: friendly(member.contract.address) };
    await until(async () => {
      await request(network.app)
        .post('/staking/member/info')
        .send({ ...asked, pools: [friendly(NOMINATORS)] })
        .expect(200);
      const stored = await known(member);
      return stored !== null && hasStake(stored.data);
    });
  }

  beforeAll(async () => {
    await join(alice);
    // Before it stakes it accepts what was deposited, which changes what all have.
    await until(async () => {
      const { locked, querySent } = await client.open(new NominatorPool(NOMINATORS)).getStakingStatus();
      return locked && !querySent;
    });
    for (const staker of stakers) await join(staker);
  });

  it.each([
    ['deposited', toNano(70) + FEES, depositBody(), 170],
    ['withdrawn', FEES, withdrawBody(toNano(50)), 120],
  ])('the one that has %s is read again, and no other', async (_, value, body, left) => {
    const before = stakers.map(readsOf);
    expect(readsOf(alice)).toBeGreaterThan(0);
    await send(alice, value, body);
    await until(async () => {
      const { data } = (await known(alice))!;
      expect(data).toEqual(await saysOf(alice));
      return wholeStake(data) === toNano(left);
    });
    expect(stakers.map(readsOf)).toEqual(before);
  });
});

it('the liquid pool and its members are read again after the blocks that change them', async () => {
  await ask('/staking/testnet/pool/liquid/info');
  await ask('/staking/member/liquid/info', alice);
  await until(() => liquidMember(alice));
  const { supply: before } = await client.open(new LiquidPool(POOL)).getPoolStatus();
  await deposit(alice, toNano(500));
  await until(async () => (await liquidMember(alice))!.data.stake!.balance === (await wsTonOf(alice)));
  await until(async () => {
    const { data } = (await network.deps.observed(liquidPoolObservation).find(NETWORK))!;
    const { supply } = await client.open(new LiquidPool(POOL)).getPoolStatus();
    expect(data!.minterSupply).toBe(String(supply));
    return supply === before + toNano(500);
  });
});

it('who has sent wsTON from its wallet is read again, and who was never asked for is not read', async () => {
  const to = bob.contract.address;
  const body = jettonTransferBody({ to, amount: toNano(40), response: to, forwardValue: 0n });
  const wallet = liquidWalletAddress({ pool: POOL, owner: alice.contract.address });
  await transfer(client, alice, [internal({ to: wallet, value: toNano('0.2'), body })]);
  await until(async () => (await wsTonOf(bob)) !== '0');
  await until(async () => (await liquidMember(alice))!.data.stake!.balance === (await wsTonOf(alice)));
  expect(await liquidMember(bob)).toBeNull();
});

it('wsTON that arrive without a word to their owner are seen', async () => {
  await ask('/staking/member/liquid/info', bob);
  await until(() => liquidMember(bob));
  const body = jettonTransferBody({
    to: bob.contract.address,
    amount: toNano(2),
    response: alice.contract.address,
    forwardValue: 0n,
  });
  const wallet = liquidWalletAddress({ pool: POOL, owner: alice.contract.address });
  await transfer(client, alice, [internal({ to: wallet, value: toNano('0.2'), body })]);
  await until(async () => (await liquidMember(bob))!.data.stake!.balance === String(toNano(42)));
});

it('staked USDe, its lock and its price are read again after the blocks that change them', async () => {
  const wallet = stakedWalletAddress(STAKED, alice.contract.address);
  const shares = async () => String(await client.open(JettonWallet.create(wallet)).getBalance());
  await stakeUsde(alice, 10_000_000n);
  await until(async () => (await shares()) !== '0');
  await ask('/usde/staking/member/liquid/info', alice);
  await ask('/usde/testnet/rate');
  await until(() => usdeMember(alice));

  await stakeUsde(alice, 10_000_000n);
  await until(async () => (await usdeMember(alice))!.data!.balance === (await shares()));
  const response = alice.contract.address;
  const body = unstakeBody({ to: STAKED, amount: 5_000_000n, response });
  await transfer(client, alice, [internal({ to: wallet, value: USDE_VALUE, body })]);
  await until(async () => {
    const { locked, unlockAt } = await client.open(new StakedUsdeWallet(wallet)).getTimelock();
    expect((await usdeMember(alice))!.data).toMatchObject({ locked: String(locked), unlockAt });
    return locked > 0n;
  });
  await network.devnet.advanceTime(86_400);
  await stakeUsde(issuer, 10_000_000n);
  await until(async () => {
    const { data } = (await network.deps.observed(sharePriceObservation).find(NETWORK))!;
    const price = await client.open(new UsdeVault(VAULT)).getConvertToAssets(1_000_000_000n);
    expect(data!.price).toBe(String(price));
    return price > 1_052_300_000n;
  });
});

it('the staking status is read again when somebody stakes in an election', async () => {
  await ask('/staking-indexer/status/testnet');
  const status = () => network.deps.observed(stakingStatusObservation).find(NETWORK);
  const before = (await until(status))!;
  const entities = async () =>
    (await client.open(ElectorContract.create()).getElectionEntities())?.entities ?? [];
  for (let eighth = 0; eighth < 8; eighth++) {
    await network.devnet.advanceTime(ROUND.electedFor / 8);
    await network.devnet.simulation.produceBlock();
  }
  await until(async () => {
    await network.devnet.advanceTime(ROUND.electedFor / 64);
    const said = (await entities()).map(({ pubkey, stake }) => [pubkey.toString('base64'), String(stake)]);
    const { height, data } = (await status())!;
    expect(data.electionEntities.map(({ key, amount }) => [key, amount]).sort()).toEqual(said.sort());
    return said.length > 0 && height! > before.height!;
  });
});

it('the list of elections is read again, too, once validators are elected', async () => {
  const list = async () => (await until(() => network.deps.observed(tonElectionsObservation).find(NETWORK)))!;
  const known = ({ data }: Awaited<ReturnType<typeof list>>) => data.elections.map(({ id }) => id);
  const before = await list();
  await until(async () => {
    await network.devnet.advanceTime(ROUND.electedFor / 16);
    const said = (await client.open(ElectorContract.create()).getPastElectionsList()).map(({ id }) => id);
    const now = await list();
    expect(known(now)).toEqual(said.sort((a, b) => a - b));
    return Math.max(...known(now)) > Math.max(...known(before));
  });
});
