import type { Cell } from '@ton/core';
import { type Address, type Transaction, beginCell, internal, toNano } from '@ton/core';
import type { TonClient4 } from '@ton/ton';
import { clientOf, expectUnbrokenChains, quietDevnet } from '../../../../test/devnet/ton';
import type { TonDevnet } from '../devnet';
import { type LocalWallet, localWallet, transfer } from '../wallets';
import { nftCollection, nftItemAddress, nftMintBody, nftTransferBody, type NftMetadata } from './nft';

const OWNERSHIP_ASSIGNED = 0x05138d91;
const EXCESSES = 0xd53276db;
const metadata = (name: string): NftMetadata => ({
  name,
  description: 'for tests',
  image: 'https://tidemark.local/nft.png',
});

let devnet: TonDevnet;
let client: TonClient4;
let alice: LocalWallet;
let bob: LocalWallet;
let collection: ReturnType<typeof nftCollection>;
let item: Address;

const addressOf = ({ contract }: LocalWallet): Address => contract.address;
const seqno = async (): Promise<number> => (await client.getLastBlock()).last.seqno;

async function nftData(address: Address): Promise<{ initialised: boolean; index: bigint; owner: string }> {
  const { reader } = await client.runMethod(await seqno(), address, 'get_nft_data');
  const initialised = reader.readBoolean();
  const index = reader.readBigNumber();
  expect(reader.readAddress().toString()).toBe(collection.address.toString());
  return { initialised, index, owner: reader.readAddress().toString() };
}

async function newest(address: Address, count: number): Promise<Transaction[]> {
  const { account } = await client.getAccountLite(await seqno(), address);
  const { lt, hash } = account.last!;
  const page = await client.getAccountTransactions(address, BigInt(lt), Buffer.from(hash, 'base64'));
  return page.slice(0, count).map(({ tx }) => tx);
}

const operation = ({ inMessage }: Transaction): number => {
  const body = inMessage!.body.beginParse();
  return body.remainingBits < 32 ? 0 : body.loadUint(32);
};

beforeAll(async () => {
  devnet = await quietDevnet({ network: 'mainnet' });
  client = clientOf(devnet.url);
  alice = localWallet('alice', 'v5r1', 'mainnet');
  bob = localWallet('bob', 'v4r2', 'mainnet');
  collection = nftCollection(addressOf(alice), metadata('Collection'));
  item = nftItemAddress(collection.address, 1);
  for (const wallet of [alice, bob]) await devnet.faucet(addressOf(wallet).toString(), toNano(10));
  const mint = (index: number, first: boolean) =>
    internal({
      to: collection.address,
      value: toNano('0.2'),
      ...(first ? { init: collection.init } : {}),
      body: nftMintBody({
        index,
        to: addressOf(alice),
        metadata: metadata(`Item ${index}`),
        value: toNano('0.1'),
      }),
    });
  await transfer(client, alice, [mint(0, true), mint(1, false)]);
});
afterAll(() => devnet.close());

it('belongs to its collection, which knows its address and its content', async () => {
  const { reader } = await client.runMethod(await seqno(), collection.address, 'get_collection_data');
  expect(reader.readBigNumber()).toBe(2n);
  reader.readCell();
  expect(reader.readAddress().toString()).toBe(addressOf(alice).toString());
  const at = await client.runMethod(await seqno(), collection.address, 'get_nft_address_by_index', [
    { type: 'int', value: 1n },
  ]);
  expect(at.reader.readAddress().toString()).toBe(item.toString());
  expect(await nftData(item)).toEqual({ initialised: true, index: 1n, owner: addressOf(alice).toString() });
  const cell = beginCell().storeUint(0, 8).endCell();
  const content = await client.runMethod(await seqno(), collection.address, 'get_nft_content', [
    { type: 'int', value: 1n },
    { type: 'cell', cell },
  ]);
  expect(content.reader.readCell().equals(cell)).toBe(true);
});

it('is transferred: the new owner is notified, and the rest of the coins is returned', async () => {
  const body = nftTransferBody({
    to: addressOf(bob),
    response: addressOf(alice),
    forwardValue: toNano('0.01'),
    comment: 'for bob',
    queryId: 42n,
  });
  await transfer(client, alice, [internal({ to: item, value: toNano('0.1'), body })]);
  expect((await nftData(item)).owner).toBe(addressOf(bob).toString());

  const [newestOfBob] = await newest(addressOf(bob), 1);
  const assigned = newestOfBob!.inMessage!.body.beginParse();
  expect([assigned.loadUint(32), assigned.loadUint(64)]).toEqual([OWNERSHIP_ASSIGNED, 42]);
  expect(assigned.loadAddress().toString()).toBe(addressOf(alice).toString());
  const comment = assigned.loadBit() ? assigned.loadRef().beginParse() : assigned;
  expect([comment.loadUint(32), comment.loadStringTail()]).toEqual([0, 'for bob']);

  const [returned] = await newest(addressOf(alice), 1);
  expect(operation(returned!)).toBe(EXCESSES);
  const { info } = returned!.inMessage!;
  expect(info.type === 'internal' && info.value.coins).toBeGreaterThan(toNano('0.05'));
});

it('is transferred by its owner only, and with enough coins', async () => {
  const body = nftTransferBody({ to: addressOf(alice), response: addressOf(alice), forwardValue: 0n });
  const attempt = async (from: LocalWallet, order: Cell): Promise<number> => {
    await transfer(client, from, [internal({ to: item, value: toNano('0.05'), body: order })]);
    const [{ description }] = (await newest(item, 1)) as [Transaction];
    if (description.type !== 'generic' || description.computePhase.type !== 'vm') throw new Error('not run');
    return description.computePhase.exitCode;
  };
  expect(await attempt(alice, body)).toBe(401);
  const dear = nftTransferBody({ to: addressOf(alice), response: addressOf(bob), forwardValue: toNano(1) });
  expect(await attempt(bob, dear)).toBe(402);
  expect((await nftData(item)).owner).toBe(addressOf(bob).toString());
});

it('reports its index and collection on the chain', async () => {
  const body = beginCell().storeUint(0x2fcb26a2, 32).storeUint(7, 64).endCell();
  await transfer(client, alice, [internal({ to: item, value: toNano('0.05'), body })]);
  const [answered] = await newest(addressOf(alice), 1);
  const answer = answered!.inMessage!.body.beginParse();
  expect([answer.loadUint(32), answer.loadUint(64), answer.loadUint(256)]).toEqual([0x8b771735, 7, 1]);
  expect(answer.loadAddress().toString()).toBe(collection.address.toString());
});

it('is minted by the owner of the collection only, and never twice', async () => {
  const mint = nftMintBody({ index: 1, to: addressOf(bob), metadata: metadata('x'), value: toNano('0.1') });
  await transfer(client, bob, [internal({ to: collection.address, value: toNano('0.2'), body: mint })]);
  await transfer(client, alice, [internal({ to: collection.address, value: toNano('0.2'), body: mint })]);
  const exits = (await newest(collection.address, 2)).map(({ description }) =>
    description.type === 'generic' && description.computePhase.type === 'vm'
      ? description.computePhase.exitCode
      : null,
  );
  expect(exits).toEqual([403, 401]);
  expect((await nftData(item)).owner).toBe(addressOf(bob).toString());
  await expectUnbrokenChains(client);
});
