import { Address, type Cell, SendMode, internal, toNano } from '@ton/core';
import type { TonClient4, WalletContractV4 } from '@ton/ton';
import { clientOf, listedTransactions, quietDevnet, walkBack } from '../../../test/devnet/ton';
import { until } from '../../../test/until';
import type { TonDevnet } from './devnet';
import { type LocalWallet, localWallet, seqnoOf, transfer } from './wallets';

const low = Address.parseRaw(`0:${'1a'.repeat(32)}`);
const high = Address.parseRaw(`0:${'fa'.repeat(32)}`);
let devnet: TonDevnet;
let client: TonClient4;
let wallet: LocalWallet;

const tip = async (): Promise<number> => (await client.getLastBlock()).last.seqno;
const shardsOf = async (seqno: number): Promise<(readonly [string, number, number])[]> =>
  (await client.getBlock(seqno)).shards
    .slice(1)
    .map(({ shard, seqno: number, transactions }) => [shard, number, transactions.length] as const);
const pay = (): Promise<void> =>
  transfer(
    client,
    wallet,
    [low, high].map(to => internal({ to, value: 1n, bounce: false })),
  );

beforeAll(async () => {
  devnet = await quietDevnet();
  client = clientOf(devnet.url);
  wallet = localWallet('simulation', 'v5r1', 'testnet');
  await devnet.faucet(wallet.contract.address.toString(), toNano(10));
});
afterAll(() => devnet.close());

it('produces no blocks while paused, except on request', async () => {
  await devnet.simulation.pause();
  const before = await tip();
  const given = devnet.faucet(low.toString(), 5n);
  expect(await devnet.simulation.produceBlock()).toBe(before + 1);
  expect((await given).seqno).toBe(before + 1);
  const late = devnet.faucet(low.toString(), 5n);
  expect(await tip()).toBe(before + 1);
  await devnet.simulation.resume();
  expect((await late).seqno).toBe(before + 2);
});

it('splits and merges shards, with transactions in blocks that are not listed', async () => {
  const [[, before]] = (await shardsOf(await tip())) as [readonly [string, number, number]];
  await devnet.simulation.pause();
  const given = devnet.faucet(low.toString(), 1n);
  const split = await devnet.simulation.splitShards();
  expect((await given).seqno).toBe(split);
  expect(await shardsOf(split)).toEqual([
    ['4611686018427387904', before + 2, 0],
    ['-4611686018427387904', before + 2, 0],
  ]);

  const { account } = await client.getAccountLite(split, low);
  const { lt, hash } = account.last!;
  const [newest] = await client.getAccountTransactions(low, BigInt(lt), Buffer.from(hash, 'base64'));
  expect(newest!.block).toMatchObject({ shard: '4611686018427387904', seqno: before + 1 });
  const listed = (await listedTransactions(client, split)).get(low.toString())!;
  const walked = await walkBack(client, low.toString(), account.last!);
  expect([listed.length, walked.length]).toEqual([2, 3]);

  const again = devnet.faucet(low.toString(), 1n);
  await devnet.simulation.produceBlock();
  const [lower, upper] = await shardsOf((await again).seqno);
  expect(lower).toEqual(['4611686018427387904', before + 3, expect.any(Number)]);
  expect(upper).toEqual(['-4611686018427387904', before + 3, expect.any(Number)]);
  expect(lower![2]).toBeGreaterThan(0);

  const merged = await devnet.simulation.mergeShards();
  expect(await shardsOf(merged)).toEqual([['-9223372036854775808', before + 5, 0]]);
  await expect(devnet.simulation.mergeShards()).rejects.toThrow('one shard');
  await devnet.simulation.resume();
});

it('rolls back and continues differently', async () => {
  const seqno = await tip();
  const paidUntil = await seqnoOf(client, wallet.contract);
  await pay();
  const lost = await tip();
  const [masterchain] = (await client.getBlock(lost)).shards;
  await devnet.simulation.pause();
  await devnet.simulation.rollbackTo(seqno);
  expect(await tip()).toBe(seqno);
  await expect(client.getBlock(lost)).rejects.toThrow('out of scope');
  expect(await seqnoOf(client, wallet.contract)).toBe(paidUntil);
  await devnet.simulation.resume();
  await pay();
  await pay();
  while ((await tip()) < lost) await devnet.simulation.produceBlock();
  expect((await client.getBlock(lost)).shards[0]!.rootHash).not.toBe(masterchain!.rootHash);
  await expect(devnet.simulation.rollbackTo(lost + 1_000)).rejects.toThrow('unknown block');
});

it('rejects moving the clock back, or beyond 32 bits', async () => {
  await expect(devnet.advanceTime(-1)).rejects.toThrow('ahead');
  await expect(devnet.advanceTime(2 ** 32)).rejects.toThrow('2106');
});

it('deletes an account, whose transactions start over when it is created again', async () => {
  const fleeting = localWallet('fleeting', 'v4r2', 'testnet');
  const { contract, keys } = fleeting;
  const stateNow = async (): Promise<Awaited<ReturnType<TonClient4['getAccount']>>['account']> =>
    (await client.getAccount(await tip(), contract.address)).account;
  await devnet.faucet(contract.address.toString(), toNano(1));
  await client.open(contract as WalletContractV4).sendTransfer({
    seqno: 0,
    secretKey: keys.secretKey,
    sendMode: SendMode.CARRY_ALL_REMAINING_BALANCE | SendMode.DESTROY_ACCOUNT_IF_ZERO,
    messages: [internal({ to: low, value: 0n, bounce: false })],
  });
  const deleted = await until(stateNow, ({ last }) => last === null);
  expect(deleted).toMatchObject({ state: { type: 'uninit' }, storageStat: null });

  await devnet.faucet(contract.address.toString(), toNano(1));
  const { lt, hash } = (await stateNow()).last!;
  const page = await client.getAccountTransactions(contract.address, BigInt(lt), Buffer.from(hash, 'base64'));
  expect(page.map(({ tx }) => [tx.oldStatus, tx.prevTransactionLt])).toEqual([['non-existing', 0n]]);
});

it('has transfers that expire because time was let pass signed again', async () => {
  await pay();
  const before = await seqnoOf(client, wallet.contract);
  let signed = 0;
  const signer = async (message: Cell): Promise<Buffer> => {
    if (signed++ === 0) await devnet.advanceTime(3_600);
    return wallet.signer(message);
  };
  await transfer(client, { ...wallet, signer }, [internal({ to: low, value: 1n, bounce: false })]);
  expect(await seqnoOf(client, wallet.contract)).toBe(before + 1);
  expect(signed).toBe(2);
});
