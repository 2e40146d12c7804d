import { watchedAccountsProjection } from '../../projections/watch/watched-accounts';
import { describeRetention } from '../../test/contracts/retention';
import { WATCH_RETENTION } from './retention';

const at = '2026-03-01T12:00:00.000Z';
const data = { chain: 'ton', network: 'mainnet', address: `0:${'ab'.repeat(32)}`, watch: 1, at };
const watched = ['AccountWatched', { ...data, source: '0123456789abcdef' }, 2] as const;
const [renewed, confirmed, expired] = (['WatchRenewed', 'WatchConfirmed', 'WatchExpired'] as const).map(
  type => [type, data] as const,
);
const removal = ['HistoryRemovalStarted', { ...data, worker: 'worker', until: at }] as const;
const again = ['AccountWatched', { ...data, watch: 2, source: null }, 2] as const;

describeRetention(WATCH_RETENTION, [watchedAccountsProjection], {
  lastStays: {
    'an account whose history was removed': [watched, expired!, removal, ['HistoryRemoved', data]],
    'a watch that has expired': [watched, confirmed!, renewed!, expired!],
    'the second watch of an account': [watched, expired!, again, ['WatchExpired', { ...data, watch: 2 }]],
  },
  stays: {
    'an account whose history is being removed': [watched, expired!, removal],
    'an account that is watched': [watched, confirmed!, renewed!],
    'an account that is watched again': [watched, expired!, again],
  },
});
