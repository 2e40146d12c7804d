import { Address, Cell, contractAddress, loadStateInit, toNano } from '@ton/core';
import { JettonMaster, JettonWallet, type TonClient4 } from '@ton/ton';
import { mnemonicToPrivateKey, mnemonicValidate } from '@ton/crypto';
import { clientOf, expectUnbrokenChains, quietDevnet, silent } from '../../../../test/devnet/ton';
import { holdTraffic } from '../../../../test/devnet/held-traffic';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { until } from '../../../../test/until';
import type { TonDevnet } from '../devnet';
import { ROUND } from '../elections/schedule';
import { LiquidPool, LiquidWallet } from '../staking/liquid/liquid-contracts';
import { NominatorPool } from '../staking/pool-contract';
import { LOCK_PERIOD, stakedWalletAddress } from '../usde/usde';
import { StakedUsdeWallet, UsdeVault } from '../usde/usde-contracts';
import { type TonTraffic, startTonTraffic } from './traffic';

const dataDir = temporaryFolder();
let devnet: TonDevnet;
let client: TonClient4;
let stop: AbortController;

const start = async (mayGrow = () => true): Promise<TonTraffic> => {
  stop = new AbortController();
  const fund = devnet.faucet;
  const options = {
    network: 'testnet',
    url: devnet.url,
    fund,
    pace: () => 20,
    mayGrow,
    logger: silent,
  } as const;
  return startTonTraffic(options, stop.signal);
};
const end = async ({ running }: TonTraffic): Promise<void> => {
  stop.abort();
  await running;
};
const transactions = async (address: string): Promise<bigint> => {
  const { last } = await client.getLastBlock();
  const { account } = await client.getAccountLite(last.seqno, Address.parse(address));
  return BigInt(account.last?.lt ?? 0);
};

async function expectAllActive({ description }: TonTraffic): Promise<void> {
  const before = await Promise.all(description.accounts.map(({ rawAddress }) => transactions(rawAddress)));
  for (const [i, { rawAddress }] of description.accounts.entries()) {
    await until(
      () => transactions(rawAddress),
      lt => lt > before[i]!,
    );
  }
}

beforeEach(async () => {
  devnet = await quietDevnet({ dataDir });
  client = clientOf(devnet.url);
});
afterEach(() => devnet.close());

let first: TonTraffic;

it('ends while it seeds, at the signal', async () => {
  const stopped = new AbortController();
  const seeding = startTonTraffic(
    {
      network: 'testnet',
      url: devnet.url,
      logger: silent,
      async fund(...granted) {
        await devnet.faucet(...granted);
        stopped.abort();
      },
    },
    stopped.signal,
  );
  await expect(seeding).rejects.toMatchObject({ code: 'ERR_CANCELED' });
});

it('seeds wallets, jettons and NFTs, and uses them', async () => {
  first = await start();
  const { accounts, jettons, faucet, endpoint } = first.description;
  expect([endpoint, faucet]).toEqual([devnet.url, `${devnet.url}/faucet`]);
  expect(new Set(accounts.map(({ walletVersion }) => walletVersion))).toEqual(new Set(['v5r1', 'v4r2']));
  for (const { mnemonic, publicKey, address, rawAddress } of accounts) {
    const words = mnemonic.split(' ');
    expect(await mnemonicValidate(words)).toBe(true);
    expect((await mnemonicToPrivateKey(words)).publicKey.toString('hex')).toBe(publicKey);
    expect(Address.parseFriendly(address)).toMatchObject({ isTestOnly: true, isBounceable: false });
    expect(Address.parse(address).toRawString()).toBe(rawAddress);
  }
  const master = client.open(JettonMaster.create(Address.parse(jettons[0]!.master)));
  expect((await master.getJettonData()).totalSupply).toBe(5_000_000_000_000n);

  expect(jettons.map(({ symbol }) => symbol)).toEqual(['LOCAL', 'SEMI', 'ORPHAN', 'LESS']);
  const orphan = Address.parse(jettons[2]!.master);
  const { reader: orphaned } = await client.runMethod(
    (await client.getLastBlock()).last.seqno,
    orphan,
    'get_jetton_data',
  );
  expect(orphaned.readBigNumber()).toBe(300_000_000n);
  expect([orphaned.readBoolean(), orphaned.readAddressOpt()]).toEqual([false, null]);

  const [{ items, collection }] = first.description.nfts as [(typeof first.description.nfts)[number]];
  const { last } = await client.getLastBlock();
  for (const [i, item] of items.entries()) {
    const { reader } = await client.runMethod(last.seqno, Address.parse(item), 'get_nft_data');
    reader.skip(2);
    expect(reader.readAddress().equals(Address.parse(collection))).toBe(true);
    expect(reader.readAddress().toRawString()).toBe(accounts[i]!.rawAddress);
  }

  await expectAllActive(first);
  await end(first);
  // The last transfer may get into a block while this is counted.
  const counted = (await client.getLastBlock()).last.seqno;
  let held = 0n;
  for (const holder of [
    ...accounts.map(({ rawAddress }) => rawAddress),
    first.description.dex.pools[0]!.pool,
  ]) {
    const wallet = await master.getWalletAddress(Address.parse(holder));
    held += await client.openAt(counted, JettonWallet.create(wallet)).getBalance();
  }
  expect(held).toBe(5_000_000_000_000n);
});

it('has pools of the jettons, whose prices move as the accounts trade', async () => {
  const { running, description } = await start();
  const pricesOf = async (): Promise<number[]> => {
    const { last } = await client.getLastBlock();
    return Promise.all(
      description.dex.pools.map(async ({ pool }) => {
        const { reader } = await client.runMethod(last.seqno, Address.parse(pool), 'get_reserves');
        return reader.readNumber() / reader.readNumber();
      }),
    );
  };
  const before = await pricesOf();
  expect(before).toHaveLength(2);
  await until(pricesOf, prices => prices.every((price, i) => price !== before[i]));
  stop.abort();
  await running;
});

it('has accounts that stake in a pool, of which one withdraws a part and has it after its round', async () => {
  const traffic = await start();
  const { description } = traffic;
  const pool = client.open(new NominatorPool(Address.parse(description.stakingPools[0]!)));
  const [carol, dave] = description.accounts.slice(-2).map(({ address }) => Address.parse(address));
  await until(
    () => pool.getMember(dave!),
    ({ pendingWithdraw }) => pendingWithdraw === toNano(100),
  );
  expect(await pool.getMember(carol!)).toMatchObject({ balance: toNano(200), pendingWithdraw: 0n });
  // A message that is under way does not survive that much time.
  await end(traffic);
  const { liftAt } = await pool.getStakingStatus();
  await devnet.advanceTime(liftAt - (await client.getLastBlock()).now);
  const again = await start();
  const paid = await until(
    () => pool.getMember(dave!),
    ({ balance, pendingWithdraw, withdraw }) =>
      balance < toNano(201) && pendingWithdraw === 0n && withdraw === 0n,
  );
  expect(paid.balance).toBeGreaterThan(toNano(200));
  expect((await pool.getMember(carol!)).balance).toBeGreaterThan(toNano(200));
  await end(again);
});

it('has an account that stakes in the liquid pool, withdraws a part, and collects it three rounds later', async () => {
  const traffic = await start();
  const { liquidStakingPool, accounts: all } = traffic.description;
  const pool = client.open(new LiquidPool(Address.parse(liquidStakingPool)));
  const wallet = client.open(new LiquidWallet(await pool.getWalletAddress(Address.parse(all[2]!.address))));
  await until(async () => (await wallet.getWalletData()).balance === toNano(70));
  await end(traffic);
  const { roundId } = await pool.getPoolStatus();
  await devnet.advanceTime(3 * ROUND.electedFor);
  await until(
    () => pool.getPoolStatus(),
    status => status.roundId >= roundId + 3,
  );
  const again = await start();
  await until(async () => (await wallet.getPendingWithdrawals()).size === 0);
  expect(await pool.getPoolStatus()).toMatchObject({ withdraw: 0n, pendingWithdraw: 0n });
  await end(again);
});

it('rests while the network may not grow, and goes on once it may', async () => {
  const held = holdTraffic();
  const traffic = await start(held.mayGrow);
  const lastOnes = () =>
    Promise.all(traffic.description.accounts.map(({ rawAddress }) => transactions(rawAddress)));
  const before = await lastOnes();
  await held.untilAskedOften();
  expect(await lastOnes()).toEqual(before);
  held.allow();
  await expectAllActive(traffic);
  await end(traffic);
});

it('has a mintless jetton, which all may claim and the last account has claimed at the first start alone', async () => {
  const { description, running } = await start();
  stop.abort();
  await running;
  const { accounts, mintless, endpoint } = description;
  const master = client.open(JettonMaster.create(Address.parse(mintless)));
  const run = async (method: string) => {
    const { last } = await client.getLastBlock();
    return (await client.runMethod(last.seqno, Address.parse(mintless), method)).reader;
  };
  const root = (await run('get_mintless_airdrop_hashmap_root')).readBigNumber();
  // Nobody owns it, at which `getJettonData` of the client fails.
  expect((await run('get_jetton_data')).readBigNumber()).toBe(500_000_000n * BigInt(accounts.length));

  const [issuer, claimant] = [accounts[0]!, accounts.at(-1)!];
  const balances = [issuer, claimant].map(async ({ address }) =>
    client.open(JettonWallet.create(await master.getWalletAddress(Address.parse(address)))).getBalance(),
  );
  expect(await Promise.all(balances)).toEqual([50_000_000n, 450_000_000n]);

  const ask = (path: string) => fetch(`${endpoint}/token-documents${path}`);
  for (const { rawAddress, address } of accounts) {
    const wallet = await master.getWalletAddress(Address.parse(address));
    const offered = (await (await ask(`/mintless/wallet/${rawAddress}`)).json()) as Record<string, string>;
    expect(offered).toMatchObject({ owner: rawAddress, compressed_info: { amount: '500000000' } });
    const init = loadStateInit(Cell.fromBase64(offered['state_init']!).beginParse());
    expect(contractAddress(0, init).equals(wallet)).toBe(true);
    const proof = Cell.fromBase64(offered['custom_payload']!).beginParse().skip(32).loadRef();
    expect(proof.beginParse(true).skip(8).loadUintBig(256)).toBe(root);
  }
  const airdrop = Cell.fromBoc(Buffer.from(await (await ask('/mintless/airdrop.boc')).arrayBuffer()))[0]!;
  expect(airdrop.beginParse().remainingRefs).toBeGreaterThan(0);
  expect((await ask(`/mintless/wallet/0:${'7'.repeat(64)}`)).status).toBe(404);
  expect((await ask('/mintless/wallet/nobody')).status).toBe(400);
  expect(await (await ask('/semi.json')).json()).toHaveProperty('description');
});

it('continues after a restart with the same accounts and jetton', async () => {
  const again = await start();
  expect(again.description.accounts).toEqual(first.description.accounts);
  expect(again.description.jettons).toEqual(first.description.jettons);
  const master = client.open(JettonMaster.create(Address.parse(again.description.jettons[0]!.master)));
  expect((await master.getJettonData()).totalSupply).toBe(5_000_000_000_000n);
  await expectAllActive(again);
  await end(again);
  await expectUnbrokenChains(client);
});

it('an actor stakes USDe, unstakes a part, and claims it a week later, and the issuer pays rewards', async () => {
  const traffic = await start();
  const { usde, accounts } = traffic.description;
  const owner = Address.parse(accounts.at(-2)!.rawAddress);
  const wallet = stakedWalletAddress(Address.parse(usde.stakedMaster), owner);
  const vault = client.open(new UsdeVault(Address.parse(usde.vault)));
  const timelock = () => client.open(new StakedUsdeWallet(wallet)).getTimelock();
  await until(
    () => timelock().catch(() => null),
    lock => lock !== null && lock.locked > 0n,
  );
  const { rewardedAt } = await until(
    () => vault.getVault(),
    state => state.rewardedAt > 0,
  );
  const before = await vault.getConvertToAssets(1_000_000_000n);
  await devnet.advanceTime(LOCK_PERIOD);
  await until(timelock, ({ locked }) => locked === 0n);
  await until(
    () => vault.getVault(),
    state => state.rewardedAt > rewardedAt,
  );
  const after = await vault.getConvertToAssets(1_000_000_000n);
  // 5 percent a year, in a week.
  expect(Number(after) / Number(before)).toBeCloseTo(1 + 0.05 * (7 / 365), 6);
  await end(traffic);
});
