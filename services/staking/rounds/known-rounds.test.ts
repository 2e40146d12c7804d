import type { PoolRound } from '../../../contracts/chain/ton-staking';
import { apyOfRounds } from '../pool-apy';
import { readKnownRounds, type KnownRound, type ObservedRounds } from './known-rounds';

const OF = { pool: 'pool', proxy: 'proxy' };

const round = (n: number): PoolRound => ({
  round: n,
  before: {
    seqno: n,
    profitPerCoin: '0',
    balance: String(10n ** 15n),
    ownStake: '0',
    poolFee: 1_000,
    sent: String(10n ** 15n),
  },
  after: { seqno: n + 1, profitPerCoin: '1350000000', balance: '1', lt: String(n) },
  election: { seqno: n, totalStake: '1000000', bonuses: '150', electedFor: 65_536 },
});

const end = (n: number): KnownRound['end'] => ({
  network: 'mainnet',
  pool: 'pool',
  lt: String(n),
  hash: '',
  time: n,
  returned: 10n ** 15n + 152_000_000_000n,
  demanded: 1_980_000_000n,
});
/** `forgotten` by the nodes, or not `read` yet. */
const rounds = (...states: readonly ('known' | 'forgotten' | 'unread')[]): readonly ObservedRounds[] =>
  states.map((state, n) => ({
    end: end(n),
    pool: state === 'unread' ? undefined : state === 'known' ? round(n) : null,
    at: null,
  }));

const readOf = (observed: readonly ObservedRounds[] | null) =>
  readKnownRounds(
    {
      views: { cached: async () => observed },
      transactions: { sources: () => [] },
      rounds: { collection: 'rounds' },
    } as unknown as Parameters<typeof readKnownRounds>[0],
    'mainnet',
    OF,
  );

test('a pool without a round that has ended has none', async () => {
  expect(await readOf([])).toEqual([]);
});

test('the round that has just ended and is not read yet is missing, and no other', async () => {
  const known = await readOf(rounds('forgotten', 'known', 'unread'));
  expect(known.map(({ end: { time }, pool }) => [time, pool !== null])).toEqual([
    [0, false],
    [1, true],
  ]);
});

test.each([
  ['the history of the proxy is not known', null],
  ['an earlier round is not read', rounds('known', 'unread', 'known')],
  ['no round is read', rounds('unread')],
])('there is no answer while %s', async (_, observed) => {
  await expect(readOf(observed)).rejects.toMatchObject({ code: 'not_ready' });
});

test('rounds that could not be read are counted in the next one', async () => {
  const found = apyOfRounds(await readOf(rounds('known', 'forgotten', 'forgotten', 'known')));
  expect(found.map(({ time, missedRounds }) => [Date.parse(time), missedRounds])).toEqual([
    [0, 0],
    [3_000, 2],
  ]);
});

test('a round has the yields that its numbers give', async () => {
  const [found] = apyOfRounds(await readOf(rounds('known')));
  expect(found).toMatchObject({
    profit: '150000000000',
    surplus: '0',
    perCoin: '1350000000',
    round: 0,
    poolApy: '3.29283',
    globalApy: '3.66530',
  });
});

test('a round of which the election is not known has no yield', () => {
  const pool = { ...round(0), election: null };
  expect(
    apyOfRounds([
      { end: end(0), pool },
      { end: end(1), pool: round(1) },
    ]),
  ).toMatchObject([{ round: 1, missedRounds: 1 }]);
});
