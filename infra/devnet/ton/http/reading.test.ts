import { Address, beginCell, comment, internal, toNano } from '@ton/core';
import { type TonClient4, loadConfigParamById, loadConfigParamsAsSlice, parseFullConfig } from '@ton/ton';
import { clientOf, expectUnbrokenChains, quietDevnet } from '../../../../test/devnet/ton';
import type { TonDevnet } from '../devnet';
import { type LocalWallet, type WalletVersion, localWallet, transfer } from '../wallets';

const ELECTOR = `-1:${'3'.repeat(64)}`;
const PLACED = `-1:${'7'.repeat(64)}`;
const stranger = Address.parseRaw(`0:${'5a'.repeat(32)}`);
let devnet: TonDevnet;
let client: TonClient4;
let wallet: LocalWallet;

const tip = async (): Promise<number> => (await client.getLastBlock()).last.seqno;
const rich = async (name: string, version: WalletVersion = 'v5r1'): Promise<LocalWallet> => {
  const made = localWallet(name, version, 'testnet');
  await devnet.faucet(made.contract.address.toString(), toNano(100));
  return made;
};

beforeAll(async () => {
  const cell = beginCell().storeUint(1, 8).endCell().toBoc().toString('base64');
  devnet = await quietDevnet({
    accounts: [{ address: PLACED, balance: '7', code: cell, data: cell }],
  });
  client = clientOf(devnet.url);
  wallet = await rich('reading');
  await transfer(client, wallet, [
    internal({ to: stranger, value: toNano(1), bounce: false, body: comment('first') }),
  ]);
});
afterAll(() => devnet.close());

describe('blocks', () => {
  it('has a tip from the start, of the right shape', async () => {
    const { last, init, now } = await client.getLastBlock();
    expect(last).toMatchObject({ workchain: -1, shard: '-9223372036854775808' });
    expect(Buffer.from(init.rootHash, 'base64')).toHaveLength(32);
    expect(Math.abs(now - Date.now() / 1000)).toBeLessThan(60);
    expect(await client.getBlock(1)).toMatchObject({
      shards: [{ workchain: -1 }, { workchain: 0, seqno: 1 }],
    });
  });

  it('lists the transactions of the shard in the order of their logical time', async () => {
    const [masterchain, shard] = (await client.getBlock(await tip())).shards;
    expect(masterchain!.transactions).toEqual([]);
    expect(shard!.transactions.map(({ account }) => Address.parse(account).toRawString())).toEqual([
      wallet.contract.address.toRawString(),
      stranger.toRawString(),
    ]);
    const lts = shard!.transactions.map(({ lt }) => BigInt(lt));
    expect(lts[1]).toBeGreaterThan(lts[0]!);
  });

  it('finds blocks by time, and none in the future or before the first', async () => {
    const { now, last } = await client.getLastBlock();
    expect((await client.getBlockByUtime(now)).shards[0]!.seqno).toBe(last.seqno);
    await expect(client.getBlockByUtime(now + 1_000)).rejects.toThrow('Block is out of scope');
    await expect(client.getBlockByUtime(1)).rejects.toThrow('Block is out of scope');
    await expect(client.getBlock(last.seqno + 1)).rejects.toThrow('Block is out of scope');
    await expect(client.getBlock(0)).rejects.toThrow('Block is out of scope');
  });

  it('makes only immutable answers cacheable', async () => {
    const cacheControl = async (path: string): Promise<string | null> =>
      (await fetch(devnet.url + path)).headers.get('cache-control');
    expect(await cacheControl('/block/1')).toBe('public, max-age=31536000');
    expect(await cacheControl('/block/1')).toBe('public, max-age=31536000');
    expect(await cacheControl('/block/1000000')).toBe('no-store');
    expect(await cacheControl('/block/latest')).toBe('public, max-age=1');
  });

  it('moves the clock of the chain', async () => {
    const { now } = await client.getLastBlock();
    const utime = await devnet.advanceTime(3_600);
    expect(utime).toBeGreaterThanOrEqual(now + 3_600);
    expect((await client.getLastBlock()).now).toBe(utime);
    expect((await client.getBlockByUtime(utime - 1_800)).shards[0]!.seqno).toBeLessThan(await tip());
  });
});

describe('accounts', () => {
  it('answers with the state as of the given block', async () => {
    const { address } = wallet.contract;
    const before = await client.getAccount(1, address);
    expect(before.account).toEqual({
      state: { type: 'uninit' },
      balance: { coins: '0', currencies: {} },
      last: null,
      storageStat: null,
    });
    const funded = await client.getAccount(2, address);
    expect(funded).toMatchObject({
      account: { state: { type: 'uninit' }, balance: { coins: toNano(100).toString() } },
      block: { workchain: -1, seqno: 2 },
    });
    const seqno = await tip();
    const { account } = await client.getAccount(seqno, address);
    const { code, data } = wallet.contract.init;
    expect(account.state).toMatchObject({ type: 'active', code: code!.toBoc().toString('base64') });
    expect(account.storageStat!.used.cells).toBeGreaterThan(0);
    const lite = (await client.getAccountLite(seqno, address)).account.state;
    expect(lite).toMatchObject({ type: 'active', codeHash: code!.hash().toString('base64') });
    expect(lite).not.toMatchObject({ dataHash: data!.hash().toString('base64') });
    expect(await client.isContractDeployed(seqno, address)).toBe(true);
    expect(await client.isContractDeployed(2, address)).toBe(false);
  });

  it('reports whether an account changed', async () => {
    const seqno = await tip();
    const { account } = await client.getAccountLite(seqno, wallet.contract.address);
    const lt = BigInt(account.last!.lt);
    const changed = async (since: bigint): Promise<boolean> =>
      (await client.isAccountChanged(seqno, wallet.contract.address, since)).changed;
    expect([await changed(lt), await changed(lt - 1n)]).toEqual([false, true]);
  });

  it('has its genesis accounts', async () => {
    const { account } = await client.getAccount(await tip(), Address.parseRaw(PLACED));
    expect(account).toMatchObject({ state: { type: 'active' }, balance: { coins: '7' } });
  });

  it('serves history in pages of 20, newest first, with the blocks it is in', async () => {
    const busy = await rich('history', 'v4r2');
    for (let i = 0; i < 21; i++) await transfer(client, busy, [internal({ to: stranger, value: 1n })]);
    const { account } = await client.getAccountLite(await tip(), busy.contract.address);
    const newest = account.last!;
    const page = await client.getAccountTransactions(
      busy.contract.address,
      BigInt(newest.lt),
      Buffer.from(newest.hash, 'base64'),
    );
    expect(page).toHaveLength(20);
    const lts = page.map(({ tx }) => tx.lt);
    expect(lts).toEqual([...lts].sort((a, b) => Number(b - a)));
    for (const { block, tx } of page) {
      const { shards } = await client.getBlock(block.seqno);
      const { transactions, ...id } = shards[1]!;
      expect(block).toEqual(id);
      expect(transactions.map(({ hash }) => hash)).toContain(tx.hash().toString('base64'));
    }
    const provider = client.provider(busy.contract.address);
    const all = await provider.getTransactions(
      busy.contract.address,
      BigInt(newest.lt),
      Buffer.from(newest.hash, 'base64'),
      30,
    );
    expect(all).toHaveLength(22);
  });
});

describe('get-methods', () => {
  it('run on the state as of the block', async () => {
    const { address } = wallet.contract;
    const seqno = await tip();
    const now = await client.runMethod(seqno, address, 'seqno');
    expect([now.exitCode, now.reader.readNumber()]).toEqual([0, 1]);
    expect(now).toMatchObject({ block: { workchain: -1, seqno }, shardBlock: { workchain: 0 } });
    expect(await client.runMethod(2, address, 'seqno')).toMatchObject({ exitCode: -256, result: [] });
    expect(await client.runMethod(seqno, address, 'no_such_method')).toMatchObject({ exitCode: 11 });
  });

  it('take arguments', async () => {
    const old = await rich('plugins', 'v4r2');
    await transfer(client, old, []);
    const outcome = await client.runMethod(await tip(), old.contract.address, 'is_plugin_installed', [
      { type: 'int', value: 0n },
      { type: 'int', value: BigInt(`0x${'5a'.repeat(32)}`) },
    ]);
    expect([outcome.exitCode, outcome.reader.readNumber()]).toEqual([0, 0]);
  });
});

describe('configuration', () => {
  it('is that of the main network, with the global id of the network', async () => {
    const { config } = await client.getConfig(await tip());
    const full = parseFullConfig(loadConfigParamsAsSlice(config.cell));
    expect(full.electorAddress.toRawString()).toBe(ELECTOR);
    expect(full.validators.validatorsElectedFor).toBe(65_536);
    expect(loadConfigParamById(config.cell, 19).beginParse().loadInt(32)).toBe(-3);
  });

  it('contains only the requested parameters', async () => {
    const { config } = await client.getConfig(await tip(), [15, 34]);
    expect([...loadConfigParamsAsSlice(config.cell).keys()].sort()).toEqual([15, 34]);
    const none = await client.getConfig(await tip(), [12_345]);
    expect(none.config.cell).toBeTruthy();
  });
});

it('has an unbroken chain of transactions for every account', async () => {
  expect(await expectUnbrokenChains(client)).toBeGreaterThan(3);
});
