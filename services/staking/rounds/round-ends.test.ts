import type { TonMessage } from '../../../contracts/chain/ton-transaction';
import type { TonHistoryTransaction } from '../../../projections/ton/transactions/stored-transaction';
import { readRoundEnds, roundEndsOf } from './round-ends';

const POOL = `0:${'7'.repeat(64)}`;
const PROXY = `-1:${'8'.repeat(64)}`;
const ELECTOR = `-1:${'3'.repeat(64)}`;
const RECOVER = 0x47657424;
const RECOVERED = 0xf96f7324;

const message = (src: string, dest: string, op: number, value: number): TonMessage =>
  ({ op, info: { type: 'internal', src, dest, value: String(value) } }) as unknown as TonMessage;

/** A transaction of the proxy, which passes a message on. */
const passes = (lt: number, op: number, value: number, from = ELECTOR): TonHistoryTransaction => {
  const to = from === POOL ? ELECTOR : POOL;
  return {
    lt: String(lt),
    hash: `hash ${lt}`,
    time: lt,
    inMessage: message(from, PROXY, op, value + 1),
    outMessages: [message(PROXY, to, op, value)],
  } as unknown as TonHistoryTransaction;
};

const STAKE_ACCEPTED = 0xf374484c;
const CHAIN = [
  passes(1, 0x4e73744b, 500, POOL),
  passes(2, STAKE_ACCEPTED, 1),
  passes(3, RECOVER, 9, POOL),
  passes(4, 0xfffffffe, 8),
  passes(5, RECOVER, 19, POOL),
  passes(6, RECOVERED, 600),
  passes(7, RECOVERED, 700),
];

test('a round ends when the elector gives the stake back, for the last demand before', () => {
  expect(roundEndsOf(CHAIN, 'mainnet', POOL)).toEqual([
    {
      network: 'mainnet',
      pool: POOL,
      lt: '6',
      time: 6,
      hash: 'hash 6',
      returned: 600n,
      demanded: 20n,
    },
    {
      network: 'mainnet',
      pool: POOL,
      lt: '7',
      time: 7,
      hash: 'hash 7',
      returned: 700n,
      demanded: null,
    },
  ]);
});

test.each([
  ['the pool itself says it', passes(6, RECOVERED, 600, POOL)],
  [
    'the proxy has kept it',
    { ...passes(6, RECOVERED, 600), outMessages: [] } as unknown as TonHistoryTransaction,
  ],
])('a round has not ended where %s', (_, transaction) => {
  expect(roundEndsOf([transaction], 'mainnet', POOL)).toEqual([]);
});

/** A double of the history of the proxy, in pages of `size`, newest first. */
const history = (chain: readonly TonHistoryTransaction[], { size = 2, isWhole = true, gapAt = -1 } = {}) => ({
  account: async () => ({ newest: '7', knownSince: () => (isWhole ? 0n : 4n) }),
  async page(_network: unknown, _address: unknown, { from }: { readonly from?: string | undefined }) {
    const newest = [...chain].reverse().filter(({ lt }) => from === undefined || Number(lt) <= Number(from));
    const transactions = newest
      .filter(({ lt }) => Number(lt) > gapAt)
      .slice(0, size)
      .map(each => ({ decoded: () => each, prev: String(Number(each.lt) - 1) }));
    return { transactions, hasMore: newest.length > transactions.length };
  },
});
const read = (transactions: ReturnType<typeof history>) =>
  readRoundEnds({ transactions } as unknown as Parameters<typeof readRoundEnds>[0], 'mainnet', {
    pool: POOL,
    proxy: PROXY,
  });

test('all pages of the history of the proxy are read', async () => {
  expect((await read(history(CHAIN)))?.map(({ lt }) => lt)).toEqual(['6', '7']);
});

test.each([
  ['is not known from its beginning', history(CHAIN, { isWhole: false })],
  ['has a gap, after something was taken back', history(CHAIN, { gapAt: 4 })],
])('nothing is known while that history %s', async (_, transactions) => {
  expect(await read(transactions)).toBeNull();
});

test('a round that a fork has taken back is none any more', async () => {
  expect((await read(history(CHAIN.slice(0, 6))))?.map(({ lt }) => lt)).toEqual(['6']);
});
