import { given } from '../../test/contracts/projection';
import { history } from '../../test/contracts/builders';
import { countWatchedAccountsOf, watchedAccountsProjection } from './watched-accounts';

const alice = { chain: 'ton', network: 'mainnet', address: `0:${'a1'.repeat(32)}` };
const bob = { chain: 'solana', network: 'devnet', address: '11111111111111111111111111111111' };
const day = (n: number): string => `2026-03-0${n}T12:00:00.000Z`;
const event = (type: string, account: object, watch: number, at: string) =>
  ['watch-x', { type, data: { ...account, watch, at }, metadata: { v: 1 } }] as const;
const watched = (account: object, watch: number, at: string, source: string | null) =>
  [
    'watch-x',
    { type: 'AccountWatched', data: { ...account, watch, source, at }, metadata: { v: 2 } },
  ] as const;

it('has the accounts that are watched now, each with its last recorded read', () =>
  given(
    watchedAccountsProjection,
    history(
      event('AccountWatched', alice, 1, day(1)),
      event('AccountWatched', bob, 1, day(1)),
      event('WatchRenewed', alice, 1, day(2)),
      event('WatchExpired', bob, 1, day(3)),
    ),
  ).then({
    watched_accounts: [
      {
        _id: `ton:mainnet:${alice.address}`,
        ...alice,
        watchedAt: day(1),
        readAt: day(2),
        source: null,
        isConfirmed: true,
      },
    ],
  }));

it('counts an account to the source of its first read, and not to those who read it later', () =>
  given(
    watchedAccountsProjection,
    history(watched(alice, 1, day(1), 'source'), event('WatchRenewed', alice, 1, day(2))),
  ).then({
    watched_accounts: [
      {
        _id: `ton:mainnet:${alice.address}`,
        ...alice,
        watchedAt: day(1),
        readAt: day(2),
        source: 'source',
        isConfirmed: false,
      },
    ],
  }));

it('has an account again that is watched again', () =>
  given(
    watchedAccountsProjection,
    history(
      event('AccountWatched', bob, 1, day(1)),
      event('WatchExpired', bob, 1, day(3)),
      event('AccountWatched', bob, 2, day(4)),
    ),
  ).then({
    watched_accounts: [
      {
        _id: `solana:devnet:${bob.address}`,
        ...bob,
        watchedAt: day(4),
        readAt: day(4),
        source: null,
        isConfirmed: true,
      },
    ],
  }));

it('knows which of those that strangers were the first to read are confirmed', () =>
  given(
    watchedAccountsProjection,
    history(watched(alice, 1, day(1), 'source'), event('WatchConfirmed', alice, 1, day(2))),
  ).then({
    watched_accounts: [
      {
        _id: `ton:mainnet:${alice.address}`,
        ...alice,
        watchedAt: day(1),
        readAt: day(1),
        source: 'source',
        isConfirmed: true,
      },
    ],
  }));

it('counts none to a source while the documents are those of an earlier version, which do not say it', async () => {
  const count = jest.fn(async () => 3);
  expect(await countWatchedAccountsOf({ count, isOutdated: async () => false }, 'source')).toBe(3);
  expect(await countWatchedAccountsOf({ count, isOutdated: async () => true }, 'source')).toBe(0);
  expect(count).toHaveBeenCalledTimes(1);
});
