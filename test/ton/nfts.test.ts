import { type Address, type Cell, beginCell, internal, toNano } from '@ton/core';
import type { TonClient4 } from '@ton/ton';
import request from 'supertest';
import type { NftCollectionObserved } from '../../contracts/chain/ton-nft-observations';
import type { NftItem } from '../../contracts/http/tokens/nfts';
import { observationKey, OBSERVATIONS_TOPIC } from '../../contracts/observation/observation';
import {
  type NftCollection,
  nftCollection,
  nftItemAddress,
  nftMintBody,
  nftTransferBody,
} from '../../infra/devnet/ton/nft/nft';
import { localWallet, transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { nftCollectionObservation } from '../../indexers/ton/observations/nft';
import { observedCollection, type ObservedDocument } from '../../projections/observations/projection';
import { webOf } from '../doubles/public-web';
import { until } from '../until';
import { PUBLIC_URL, type LocalNetwork } from './network';
import { addressOf, friendly, startTestnet } from './testnet';
import { contentOfValues, offChainContent, snakeValue } from './token-content';

const OWNERSHIP_ASSIGNED = 0x05138d91;
const DOCUMENT = 'https://ships.example/2.json';
const web = webOf({
  [DOCUMENT]: JSON.stringify({
    name: 'Ship 2',
    description: 'In a document',
    image: 'ipfs://bafy/ship.png',
    lottie: 'https://ships.example/ship.json',
    attributes: [{ trait_type: 'Hull', value: 'oak' }],
  }),
});

let network: LocalNetwork;
let client: TonClient4;
let alice: LocalWallet;
let bob: LocalWallet;
let harbour: NftCollection;

interface Page {
  readonly items: NftItem[];
  readonly cursor: string | null;
}
const nftsOf = async (wallet: LocalWallet, query = ''): Promise<Page> =>
  (
    await request(network.app)
      .get(`/nfts/${encodeURIComponent(addressOf(wallet))}?isTestnet=true${query}`)
      .expect(200)
  ).body.data;
const named = ({ items }: Page): string[] => items.map(({ name }) => name);
const itemAt = (index: number): Address => nftItemAddress(harbour.address, index);

const ship = (index: number) => ({
  name: `Ship ${index}`,
  description: `Item ${index}`,
  image: `https://ships.example/${index}.png`,
});
const mint = (index: number, metadata: Parameters<typeof nftMintBody>[0]['metadata']) =>
  internal({
    to: harbour.address,
    value: toNano('0.2'),
    init: harbour.init,
    body: nftMintBody({ index, to: alice.contract.address, metadata, value: toNano('0.1') }),
  });
const send = (
  from: LocalWallet,
  to: LocalWallet,
  indexes: readonly number[],
  forwardValue = 1n,
): Promise<void> =>
  transfer(
    client,
    from,
    indexes.map(index =>
      internal({
        to: itemAt(index),
        value: toNano('0.1'),
        body: nftTransferBody({ to: to.contract.address, response: from.contract.address, forwardValue }),
      }),
    ),
  );

beforeAll(async () => {
  ({ network, client, alice, bob } = await startTestnet({ watched: true, web }));
  harbour = nftCollection(alice.contract.address, {
    name: 'Harbour',
    description: 'A collection',
    image: '',
  });
  await transfer(client, alice, [
    ...[0, 1].map(index => mint(index, ship(index))),
    mint(2, offChainContent(DOCUMENT)),
    mint(3, offChainContent('https://ships.example/down.json')),
  ]);
});
afterAll(() => network.close());

it('is empty for who has none', async () => {
  expect(await nftsOf(localWallet('without items', 'v5r1', 'testnet'))).toEqual({ items: [], cursor: null });
});

describe('the history of an item', () => {
  const assigned = () =>
    beginCell().storeUint(OWNERSHIP_ASSIGNED, 32).storeUint(0, 64).storeAddress(alice.contract.address);
  const newestOf = async (wallet: LocalWallet) => {
    const lite = await client.getAccountLite(
      (await client.getLastBlock()).last.seqno,
      wallet.contract.address,
    );
    const lt = lite.account.last!.lt;
    const read = () =>
      request(network.app)
        .get(`/actions/${addressOf(wallet)}`)
        .expect(200);
    const { body } = await until(read, answer => answer.body.actions[0]?.lt === lt);
    return body.actions[0] as object;
  };

  it('believes the item, and not a stranger who sends the same', async () => {
    await send(alice, bob, [1]);
    expect(await newestOf(bob)).toMatchObject({
      kind: 'nft_transfer',
      sender: addressOf(alice),
      asset: { type: 'nft', address: friendly(itemAt(1)) },
    });
    await send(bob, alice, [1]);
    const body = assigned().storeMaybeRef(null).endCell();
    await transfer(client, alice, [
      internal({ to: bob.contract.address, value: toNano('0.01'), bounce: false, body }),
    ]);
    expect(await newestOf(bob)).toMatchObject({
      kind: 'call_contract',
      sender: addressOf(alice),
      asset: { type: 'ton' },
      amount: '10000000',
    });
  });
});

it('lists an item that was just received, as its collection has it', async () => {
  await send(alice, bob, [0]);
  const { items, cursor } = await until(
    () => nftsOf(bob),
    page => page.items.length > 0,
  );
  expect(cursor).toBeNull();
  expect(items).toEqual([
    {
      id: friendly(itemAt(0)),
      address: friendly(itemAt(0)),
      ownerAddress: addressOf(bob),
      index: '0',
      name: 'Ship 0',
      description: 'Item 0',
      attributes: [],
      collection: { id: friendly(harbour.address), name: 'Harbour', description: 'A collection' },
      content: {
        image: { baseUrl: 'https://ships.example/0.png' },
        originalUrl: 'https://ships.example/0.png',
      },
      kind: 'CollectionItem',
      at: expect.any(String),
    },
  ]);
  // Who sent it has it no more.
  expect(named(await nftsOf(alice))).not.toContain('Ship 0');
});

it('reads documents, and says where one could not be read', async () => {
  await send(alice, bob, [2, 3]);
  const { items } = await until(
    () => nftsOf(bob),
    page => page.items.length === 3,
  );
  expect(items.find(({ index }) => index === '2')).toMatchObject({
    name: 'Ship 2',
    description: 'In a document',
    attributes: [{ traitType: 'Hull', value: 'oak' }],
    content: {
      image: { baseUrl: 'https://ipfs.io/ipfs/bafy/ship.png' },
      lottie: 'https://ships.example/ship.json',
    },
  });
  expect(items.find(({ index }) => index === '3')).toMatchObject({
    name: 'Harbour #3',
    content: { notLoaded: true },
  });
});

it('is read page by page, and an item that was sent away is gone', async () => {
  const whole = named(await nftsOf(bob));
  const [first, second] = [await nftsOf(bob, '&first=2'), await nftsOf(bob, '&first=1')];
  expect(named(first)).toEqual(whole.slice(0, 2));
  const rest = await nftsOf(bob, `&first=2&after=${encodeURIComponent(first.cursor!)}`);
  expect([...named(first), ...named(rest)]).toEqual(whole);
  expect(rest.cursor).toBeNull();

  await send(bob, alice, [0]);
  const left = await until(
    () => nftsOf(bob),
    page => page.items.length === 2,
  );
  expect(named(left)).not.toContain('Ship 0');
  // A cursor of before stays valid.
  const after = await nftsOf(bob, `&after=${encodeURIComponent(second.cursor!)}`);
  expect(named(after)).not.toContain('Ship 0');
  await until(
    () => nftsOf(alice),
    page => named(page).includes('Ship 0'),
  );
});

it('does not list what only claims to belong to someone', async () => {
  // Alice sends the notification herself: her wallet is no item.
  const forged: Cell = beginCell()
    .storeUint(OWNERSHIP_ASSIGNED, 32)
    .storeUint(0, 64)
    .storeAddress(alice.contract.address)
    .storeMaybeRef(null)
    .endCell();
  const before = named(await nftsOf(bob));
  await transfer(client, alice, [
    internal({ to: bob.contract.address, value: toNano('0.05'), bounce: false, body: forged }),
  ]);
  await send(alice, bob, [1]);
  const page = await until(
    () => nftsOf(bob),
    found => named(found).includes('Ship 1'),
  );
  expect(named(page).sort()).toEqual([...before, 'Ship 1'].sort());
});

it('lists an item that was received without a notification, and not one that the sender did not own', async () => {
  const carol = localWallet('receives without a notification', 'v5r1', 'testnet');
  expect(named(await nftsOf(carol))).toEqual([]);
  // Of these items bob owns the second one.
  await send(alice, carol, [1], 0n);
  await send(bob, carol, [1], 0n);
  const page = await until(
    () => nftsOf(carol),
    found => found.items.length > 0,
  );
  expect(page.items).toMatchObject([{ name: 'Ship 1', ownerAddress: addressOf(carol) }]);
  await send(alice, carol, [2], 0n);
  await send(alice, carol, [0], 0n);
  await until(
    () => nftsOf(carol),
    found => found.items.length === 2,
  );
  expect(named(await nftsOf(carol))).toEqual(['Ship 0', 'Ship 1']);
  expect(named(await nftsOf(bob)).sort()).toEqual(['Harbour #3', 'Ship 2']);
});

it.each([
  ['after=here', '/query/after'],
  ['first=0', '/query/first'],
  ['first=101', '/query/first'],
  ['isTestnet=perhaps', '/query/isTestnet'],
])('answers 400 to %s and names the field', async (query, pointer) => {
  const { body } = await request(network.app)
    .get(`/nfts/${encodeURIComponent(addressOf(bob))}?${query}`)
    .expect(400);
  expect(body.errors).toMatchObject([{ pointer }]);
});

it('answers 400 to a test-only address of mainnet', async () => {
  const { body } = await request(network.app)
    .get(`/nfts/${encodeURIComponent(addressOf(bob))}?isTestnet=false`)
    .expect(400);
  expect(body.code).toBe('network_mismatch');
});

it('is cached while nothing of it changes; a change of a document shows in the next read', async () => {
  const reads = jest.spyOn(network.views, 'getMany');
  const readsOfPage = async (): Promise<number> => {
    const before = reads.mock.calls.length;
    await nftsOf(bob);
    return reads.mock.calls.length - before;
  };
  await until(readsOfPage, count => count === 0);

  // The collection has another name since a later block.
  const { kind, subject: format } = nftCollectionObservation;
  const subject = format.format({ network: 'testnet', address: harbour.address.toRawString() });
  const collection = () =>
    network.views.get<ObservedDocument<NonNullable<NftCollectionObserved>>>(
      observedCollection(nftCollectionObservation),
      subject,
    );
  const { data } = (await collection())!;
  const { content } = data;
  const renamed = { content: { ...content, attributes: { ...content.attributes, name: 'Port' } } };
  const height = 1_000_000;
  const record = { kind, subject, height, at: new Date().toISOString(), data: renamed };
  await network.engines.log.publish(OBSERVATIONS_TOPIC.name, [
    { key: observationKey(kind, subject), value: Buffer.from(JSON.stringify(record)) },
  ]);
  await until(collection, found => found?.height === height);
  const { items } = await nftsOf(bob);
  expect(new Set(items.map(each => each.collection.name))).toEqual(new Set(['Port']));
  reads.mockRestore();
});

it('shows an item with the image that it contains', async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 3"><circle cx="1.5" cy="1.5" r="1"/></svg>';
  await transfer(client, alice, [
    mint(4, contentOfValues({ name: snakeValue('Drawn'), image_data: snakeValue(svg) })),
  ]);
  await send(alice, bob, [4]);
  const { items } = await until(
    () => nftsOf(bob),
    page => named(page).includes('Drawn'),
  );
  const { content } = items.find(({ name }) => name === 'Drawn')!;
  expect(content.originalUrl).toBe(content.image?.baseUrl);
  const answer = await request(network.app)
    .get(content.originalUrl!.replace(PUBLIC_URL, ''))
    .expect(200)
    .expect('Content-Type', 'image/webp');
  expect(answer.headers['cache-control']).toContain('immutable');
});
