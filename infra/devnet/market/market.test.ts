import { LOCAL_VENUES, type LocalVenue } from '../../../contracts/chain/local-market';
import { localCloses, localQuotes } from './market';

const NOW = Date.UTC(2026, 0, 1);
const ton = (at: number, venue: LocalVenue = 'local-a') => Number(localQuotes(venue, at).coins['TON']);

it('has the same past after a restart, and says that it is a double', () => {
  expect(localQuotes('local-a', NOW)).toEqual(localQuotes('local-a', NOW));
  expect(localQuotes('local-a', NOW)).toMatchObject({ venue: 'local-a', isDouble: true });
});

it('moves, by little in a minute and by more in a month', () => {
  const month = Array.from({ length: 30 }, (_, day) => ton(NOW + day * 86_400_000));
  expect(new Set(month).size).toBe(30);
  expect(Math.max(...month) / Math.min(...month)).toBeGreaterThan(1.02);
  expect(Math.abs(ton(NOW + 60_000) / ton(NOW) - 1)).toBeLessThan(0.02);
});

it('has places that differ by less than what counts as an outlier', () => {
  for (let minute = 0; minute < 500; minute++) {
    const prices = LOCAL_VENUES.map(venue => ton(NOW + minute * 60_000, venue));
    expect(Math.max(...prices) / Math.min(...prices)).toBeLessThan(1.01);
  }
});

it('says of the past what it said then', () => {
  const from = NOW / 3_600_000;
  const { closes, ...answer } = localCloses('local-b', 'TON', 'hours', { from, until: from + 3 });
  expect(answer).toMatchObject({ venue: 'local-b', isDouble: true, coin: 'TON', step: 'hours', from });
  expect(closes).toEqual(
    [1, 2, 3].map(hour => localQuotes('local-b', NOW + hour * 3_600_000 - 1).coins['TON']),
  );
});
