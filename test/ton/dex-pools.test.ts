import { Address, beginCell, type Cell, type TupleItem } from '@ton/core';
import type { TonClient } from '../../contracts/ports/ton-client';
import { createTonClient } from '../../infra/engines/ton-client/ton-client';
import { dedust } from '../../indexers/ton/pools/dedust';
import { MIN_COINS, readPools } from '../../indexers/ton/pools/pool';
import { stonFi } from '../../indexers/ton/pools/ston-fi';
import { silent } from '../devnet/ton';
import { blockOfAge, type GetMethods, NEWEST, openTonServer } from '../doubles/ton-server';
import { accountAt } from './scripted-chain';

/** On mainnet, as their documentation has them. */
const DEDUST = Address.parse('EQBfBWT7X2BHg9tXAxzhz2aKiNTU1tpt5NsiK0uSDW_YAJ67').toRawString();
const STON_FI = Address.parse('EQB3ncyBUTjZUA5EnFKR5_EnOMI9V1tTEAAPaiU71gc4TiUt').toRawString();
const WRAPPED = Address.parse('EQCM3B12QK1e4yZSf8GtBRT0aLMNyEsBc_DhVfRRtOEffLez').toRawString();

const at = (n: number): string => accountAt(n);
const [MASTER, OTHER, POOL, STON_POOL, WALLET, WRAPPED_WALLET] = [1, 2, 3, 4, 5, 6].map(at) as [
  string,
  string,
  string,
  string,
  string,
  string,
];

const slice = (cell: Cell): TupleItem => ({ type: 'slice', cell });
const int = (value: bigint): TupleItem => ({ type: 'int', value });
const address = (raw: string): TupleItem => slice(beginCell().storeAddress(Address.parseRaw(raw)).endCell());
const native = slice(beginCell().storeUint(0, 4).endCell());
const jetton = (raw: string): TupleItem =>
  slice(beginCell().storeUint(1, 4).storeInt(0, 8).storeBuffer(Address.parseRaw(raw).hash).endCell());
const sameItems = (a: readonly TupleItem[], b: readonly TupleItem[]): boolean =>
  a.length === b.length &&
  a.every((item, i) => {
    const other = b[i]!;
    if (item.type === 'int') return other.type === 'int' && item.value === other.value;
    return item.type === 'slice' && other.type === 'slice' && item.cell.equals(other.cell);
  });

type Pair = readonly [coins: bigint, jettons: bigint];
/** What a pool has as of a block. */
type History = (seqno: number) => Pair | null;

/** Handwritten: the answers of a factory and a pool of DeDust, whose assets are in either order. */
function dedustAnswers(history: History, isNativeFirst = true): GetMethods {
  return ({ contract, method, args }, seqno) => {
    if (contract === DEDUST && method === 'get_pool_address')
      return sameItems(args, [int(0n), native, jetton(MASTER)]) ? [address(POOL)] : [address(OTHER)];
    if (contract !== POOL) return null;
    const reserves = history(seqno);
    if (!reserves) return null;
    const inOrder = <T>(items: readonly T[]): T[] => (isNativeFirst ? [...items] : [...items].reverse());
    if (method === 'get_assets') return inOrder([native, jetton(MASTER)]);
    if (method === 'get_reserves') return inOrder(reserves.map(int));
    return null;
  };
}

/** Handwritten: the answers of the router of version 1 of STON.fi, of a pool, and of the wallets of the router. */
function stonFiAnswers(history: History, isWrappedFirst = true): GetMethods {
  return ({ contract, method, args }, seqno) => {
    const [wrapped, other] = [address(WRAPPED_WALLET), address(WALLET)];
    switch (`${contract} ${method}`) {
      case `${WRAPPED} get_wallet_address`:
        return sameItems(args, [address(STON_FI)]) ? [wrapped] : null;
      case `${MASTER} get_wallet_address`:
        return sameItems(args, [address(STON_FI)]) ? [other] : null;
      case `${WALLET} get_wallet_data`:
        return [int(5n), address(STON_FI), address(MASTER)];
      case `${STON_FI} get_pool_address`:
        return sameItems(args, [wrapped, other]) ? [address(STON_POOL)] : null;
      case `${STON_POOL} get_pool_data`: {
        const reserves = history(seqno);
        if (!reserves) return null;
        const inOrder = <T>(items: readonly T[]): T[] => (isWrappedFirst ? [...items] : [...items].reverse());
        const fees = [20n, 10n, 10n].map(int);
        return [
          ...inOrder(reserves.map(int)),
          ...inOrder([wrapped, other]),
          ...fees,
          address(OTHER),
          int(0n),
          int(0n),
        ];
      }
      default:
        return null;
    }
  };
}

const either =
  (one: GetMethods, other: GetMethods): GetMethods =>
  (call, seqno) =>
    one(call, seqno) ?? other(call, seqno);

const stop = new AbortController();
let contracts: GetMethods | null;
let server: Awaited<ReturnType<typeof openTonServer>>;
let client: TonClient;
/** With nothing cached: past blocks are those of another chain. */
const open = (): TonClient =>
  createTonClient({ urls: [server.url], logger: silent, backoffMs: 1, signal: stop.signal });

beforeAll(async () => {
  server = await openTonServer(() => contracts);
});
beforeEach(() => {
  client = open();
});
afterAll(() => {
  stop.abort();
  server.close();
});

async function pools(answers: GetMethods | null, master = MASTER) {
  contracts = answers;
  return readPools(client, [dedust, stonFi], await client.getLastBlock(), master);
}

const DEEP: Pair = [50_000n * 10n ** 9n, 400_000n * 10n ** 6n];
const always =
  (pair: Pair | null): History =>
  () =>
    pair;

it.each([true, false])('has the reserves of a pool of DeDust, the coins first: %s', async isNativeFirst => {
  expect(await pools(dedustAnswers(always(DEEP), isNativeFirst))).toEqual([
    { exchange: 'dedust', coins: DEEP[0], jettons: DEEP[1] },
  ]);
});

it.each([true, false])('has the reserves of a pool of STON.fi, the coins first: %s', async isWrappedFirst => {
  expect(await pools(stonFiAnswers(always(DEEP), isWrappedFirst))).toEqual([
    { exchange: 'ston-fi', coins: DEEP[0], jettons: DEEP[1] },
  ]);
});

it('has both, but for one that has less than a tenth of the coins of the other', async () => {
  const shallow: Pair = [DEEP[0] / 10n - 1n, DEEP[1]];
  const both = (of: Pair) => pools(either(dedustAnswers(always(DEEP)), stonFiAnswers(always(of))));
  expect((await both(DEEP)).map(({ exchange }) => exchange)).toEqual(['dedust', 'ston-fi']);
  client = open();
  expect((await both(shallow)).map(({ exchange }) => exchange)).toEqual(['dedust']);
});

it.each<readonly [string, Pair | null]>([
  ['ten TON', [10n * 10n ** 9n, 1_000n]],
  ['just too little', [MIN_COINS - 1n, 1_000n]],
  ['nothing', [0n, 0n]],
  ['coins only', [DEEP[0], 0n]],
  ['jettons only', [0n, DEEP[1]]],
  ['negative reserves', [-DEEP[0], -DEEP[1]]],
  ['negative jettons', [DEEP[0], -1n]],
  ['no contract', null],
])('has no pool with %s', async (_what, reserves) => {
  expect(await pools(dedustAnswers(always(reserves)))).toEqual([]);
  expect(await pools(stonFiAnswers(always(reserves)))).toEqual([]);
});

it.each<readonly [string, GetMethods]>([
  [
    'is one of other assets',
    call => (call.method === 'get_assets' ? [native, jetton(OTHER)] : dedustAnswers(always(DEEP))(call, 1)),
  ],
  [
    'is one of two jettons',
    call =>
      call.method === 'get_assets' ? [jetton(MASTER), jetton(OTHER)] : dedustAnswers(always(DEEP))(call, 1),
  ],
  [
    'answers with something else',
    call => (call.method === 'get_reserves' ? [native] : dedustAnswers(always(DEEP))(call, 1)),
  ],
  [
    'does not say all',
    call => (call.method === 'get_reserves' ? [int(5n)] : dedustAnswers(always(DEEP))(call, 1)),
  ],
  [
    'is one of other wallets',
    call =>
      call.method === 'get_pool_data'
        ? [int(DEEP[0]), int(DEEP[1]), address(OTHER), address(WALLET)]
        : stonFiAnswers(always(DEEP))(call, 1),
  ],
])('has no pool that %s', async (_what, answers) => {
  expect(await pools(answers)).toEqual([]);
});

it('a jetton that names the wallet of another one does not get its price', async () => {
  const answers = stonFiAnswers(always(DEEP));
  // A master of its own, which claims that the wallet of MASTER is that of its owner.
  const liar: GetMethods = (call, seqno) =>
    call.contract === OTHER && call.method === 'get_wallet_address'
      ? [address(WALLET)]
      : answers(call, seqno);
  expect(await pools(liar, OTHER)).toEqual([]);
  expect(await pools(liar)).toHaveLength(1);
});

it('is not moved by reserves that jump, until they have stayed there', async () => {
  const jumped: Pair = [DEEP[0] * 3n, DEEP[1] / 3n];
  const since =
    (age: number): History =>
    seqno =>
      seqno >= blockOfAge(age) ? jumped : DEEP;
  const coins = async (age: number): Promise<bigint> => (await pools(dedustAnswers(since(age))))[0]!.coins;
  // NEWEST is at a mark, the worst case: the blocks that are read are of ages 0, 0, 120, 240, 360, 480 and 600.
  expect(NEWEST.now % 120).toBe(0);
  expect(await coins(0)).toBe(DEEP[0]);
  client = open();
  expect(await coins(235)).toBe(DEEP[0]);
  client = open();
  expect(await coins(245)).toBe(jumped[0]);
});

it.each<readonly [string, Pair | null]>([
  ['is new', null],
  ['had too little before', [MIN_COINS / 2n, 1n]],
])(
  'does not count a pool that %s, until it has had enough as long as a price has to be held',
  async (_what, before) => {
    const since =
      (age: number): History =>
      seqno =>
        seqno >= blockOfAge(age) ? DEEP : before;
    for (const [age, count] of [
      [0, 0],
      [235, 0],
      [245, 1],
    ] as const) {
      client = open();
      expect(await pools(dedustAnswers(since(age)))).toHaveLength(count);
    }
  },
);

it('counts a pool at once where the network has no earlier blocks', async () => {
  contracts = dedustAnswers(always(DEEP));
  const young = { runMethod: client.runMethod.bind(client), getBlockAt: async () => null };
  expect(await readPools(young, [dedust], await client.getLastBlock(), MASTER)).toHaveLength(1);
});

it('reads a past block of a pool once', async () => {
  const answers = dedustAnswers(always(DEEP));
  await pools(answers);
  const reads = () => server.calls.filter(call => call.startsWith(`${POOL} get_reserves`)).length;
  const before = reads();
  await pools(answers);
  expect(reads()).toBe(before);
});

it('fails while TON does not answer', async () => {
  contracts = dedustAnswers(always(DEEP));
  const last = await client.getLastBlock();
  contracts = null;
  await expect(readPools(client, [dedust, stonFi], last, MASTER)).rejects.toThrow();
});
