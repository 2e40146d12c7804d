import type { Cell } from '@ton/core';
import { Address, beginCell, TupleReader, type TupleItem } from '@ton/core';
import { GetMethodFailed, type TonClient } from '../../../contracts/ports/ton-client';
import { onChainContent } from '../../../infra/devnet/ton/token-content';
import { observe } from '../../../test/contracts/observation';
import { offChainContent } from '../../../test/ton/token-content';
import { nftCollectionObservation, nftObservation, TON_DNS } from './nft';

const raw = (digits: string): string => `0:${digits.repeat(32)}`;
const [ITEM, COLLECTION, OWNER, OTHER] = ['01', '02', '03', '04'].map(raw) as [
  string,
  string,
  string,
  string,
];
const int = (value: bigint): TupleItem => ({ type: 'int', value });
const cell = (value: Cell): TupleItem => ({ type: 'cell', cell: value });
const address = (text: string | null): TupleItem => ({
  type: 'slice',
  cell: beginCell()
    .storeAddress(text === null ? null : Address.parseRaw(text))
    .endCell(),
});

type Answer = (args: readonly TupleItem[]) => readonly TupleItem[];
type Contracts = Readonly<Record<string, Readonly<Record<string, Answer>>>>;

/** A double of a node with these contracts. */
function nodeWith(contracts: Contracts): Partial<TonClient> {
  return {
    getLastBlock: async () => ({ seqno: 7, now: 0 }),
    async runMethod(_seqno, of, method, args = []) {
      const answer = contracts[of]?.[method];
      if (!answer) throw new GetMethodFailed(method, 11);
      return new TupleReader([...answer(args)]);
    },
  };
}

async function read(contracts: Contracts, network: 'mainnet' | 'testnet' = 'mainnet') {
  const subject = { network, owner: OWNER, item: ITEM };
  const { height, data } = await observe(nftObservation, subject, { ton: nodeWith(contracts) });
  expect(height).toBe(7);
  return data;
}

const own = beginCell().storeStringTail('7.json').endCell();
const item = (init: bigint, collection: string | null, owner: string | null, content = own) => ({
  get_nft_data: () => [int(init), int(7n), address(collection), address(owner), cell(content)],
});
/** Which has the item at its index 7, and adds the item's part to its own URL. */
const collection = (at = ITEM) => ({
  get_nft_address_by_index: ([index]: readonly TupleItem[]) => [
    address(index?.type === 'int' && index.value === 7n ? at : OTHER),
  ],
  get_nft_content: ([, part]: readonly TupleItem[]) => [
    cell(offChainContent(`https://a.example/${(part as { cell: Cell }).cell.beginParse().loadStringTail()}`)),
  ],
});

describe('an item of an owner', () => {
  it('is theirs when its collection confirms it, with the content that the collection makes of its part', async () => {
    expect(await read({ [ITEM]: item(-1n, COLLECTION, OWNER), [COLLECTION]: collection() })).toMatchObject({
      index: '7',
      collection: COLLECTION,
      content: { kind: 'offchain', uri: 'https://a.example/7.json' },
      domain: null,
    });
  });

  it.each<[string, Contracts]>([
    ['of another owner', { [ITEM]: item(-1n, COLLECTION, OTHER), [COLLECTION]: collection() }],
    ['of no owner', { [ITEM]: item(-1n, COLLECTION, null), [COLLECTION]: collection() }],
    ['that is not initialised', { [ITEM]: item(0n, COLLECTION, OWNER), [COLLECTION]: collection() }],
    [
      'that its collection does not have',
      { [ITEM]: item(-1n, COLLECTION, OWNER), [COLLECTION]: collection(OTHER) },
    ],
    ['of a collection that is none', { [ITEM]: item(-1n, COLLECTION, OWNER) }],
    ['that is no item', { [ITEM]: { get_nft_data: () => [int(1n)] } }],
    ['that does not exist', {}],
  ])('is not theirs: one %s', async (_what, contracts) => {
    expect(await read(contracts)).toBeNull();
  });

  it('may be of no collection, and says all of itself then', async () => {
    const content = onChainContent({ name: 'Alone', description: '', image: '' });
    expect(await read({ [ITEM]: item(-1n, null, OWNER, content) })).toMatchObject({
      collection: null,
      content: { kind: 'onchain', attributes: { name: 'Alone' } },
    });
  });

  it('has no content while its collection does not say it', async () => {
    const { get_nft_address_by_index } = collection();
    const silent = { [ITEM]: item(-1n, COLLECTION, OWNER), [COLLECTION]: { get_nft_address_by_index } };
    expect(await read(silent)).toMatchObject({ content: { kind: 'unreadable' } });
  });

  it('has a domain in the collection of TON DNS on mainnet, and in no other', async () => {
    const named = (text: string, of: string): Contracts => ({
      [ITEM]: {
        ...item(-1n, of, OWNER),
        get_domain: () => [{ type: 'slice', cell: beginCell().storeStringTail(text).endCell() }],
      },
      [of]: collection(),
    });
    expect(await read(named('harbour', TON_DNS))).toMatchObject({ domain: 'harbour' });
    expect(await read(named('harbour', TON_DNS), 'testnet')).toMatchObject({ domain: null });
    expect(await read(named('harbour', COLLECTION))).toMatchObject({ domain: null });
    expect(await read(named('<b>', TON_DNS))).toMatchObject({ domain: null });
  });
});

it('a collection says its content, and what is none says nothing', async () => {
  const content = onChainContent({ name: 'Harbour', description: '', image: '' });
  const contracts = { [COLLECTION]: { get_collection_data: () => [int(8n), cell(content), address(OWNER)] } };
  const readAt = async (at: string) => {
    const subject = { network: 'mainnet', address: at } as const;
    return (await observe(nftCollectionObservation, subject, { ton: nodeWith(contracts) })).data;
  };
  expect(await readAt(COLLECTION)).toMatchObject({ content: { attributes: { name: 'Harbour' } } });
  expect(await readAt(OTHER)).toBeNull();
});

it('writes its subject with the owner first, and reads it back', () => {
  const { format, parse } = nftObservation.subject;
  const subject = { network: 'testnet', owner: OWNER, item: ITEM } as const;
  expect(format(subject)).toBe(`ton:testnet:${OWNER}/${ITEM}`);
  expect(parse(format(subject))).toEqual(subject);
  expect(() => parse(`ton:testnet:${OWNER}`)).toThrow('not an item');
});
