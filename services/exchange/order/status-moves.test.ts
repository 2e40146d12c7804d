import { EXCHANGE_ORDER_STATUSES } from '../../../contracts/events/exchange-order';
import {
  isFinalStatus,
  isMoveAllowed,
  isResolvable,
  parsePartnerStatus,
  shownAfter,
  type PartnerStatus,
} from './status-moves';

const STATUSES = EXCHANGE_ORDER_STATUSES.filter(status => status !== 'resolved');

/** One row for each status that an order is at, one column for each that it may be seen at next. */
const TABLE = `
            new waiting confirming exchanging sending finished failed refunded hold expired overdue
new         .   x       x          x          x       x        x      x        x    x       x
waiting     .   .       x          x          x       x        x      x        x    x       x
confirming  .   .       .          x          x       x        x      x        x    .       .
exchanging  .   .       .          .          x       x        x      x        x    .       .
sending     .   .       .          .          .       x        x      x        x    .       .
finished    .   .       .          .          .       .        .      .        .    .       .
failed      .   .       .          x          x       x        .      x        x    .       .
refunded    .   .       .          .          .       .        .      .        .    .       .
hold        .   .       x          x          x       x        x      x        .    .       .
expired     .   .       x          x          x       x        x      x        x    .       .
overdue     .   .       x          x          x       x        x      x        x    .       .
`;

const [columns, ...rows] = TABLE.trim()
  .split('\n')
  .map(line => line.trim().split(/\s+/));

it('the table has every status of the partner', () => {
  expect(columns).toEqual(STATUSES);
  expect(rows.map(([from]) => from)).toEqual(STATUSES);
});

it.each(
  rows.flatMap(([from, ...allowed]) =>
    allowed.map((mark, i): [string, string, boolean] => [from!, columns![i]!, mark === 'x']),
  ),
)('from %s to %s: %s', (from, to, expected) => {
  expect(isMoveAllowed(from as PartnerStatus, to as PartnerStatus)).toBe(expected);
});

it('only finished and refunded are final', () => {
  expect(STATUSES.filter(isFinalStatus)).toEqual(['finished', 'refunded']);
});

it('only what came to nothing can be resolved', () => {
  expect(EXCHANGE_ORDER_STATUSES.filter(isResolvable)).toEqual([
    'failed',
    'refunded',
    'hold',
    'expired',
    'overdue',
  ]);
});

it('what was resolved is shown so, until the money has moved', () => {
  const shown = STATUSES.map(to => [to, shownAfter('resolved', to)]);
  expect(shown.filter(([to, now]) => to === now).flat()).toEqual([
    'finished',
    'finished',
    'refunded',
    'refunded',
  ]);
  expect(STATUSES.every(to => shownAfter('failed', to) === to)).toBe(true);
});

it('only statuses of the partner are known', () => {
  expect(STATUSES.map(parsePartnerStatus)).toEqual(STATUSES);
  expect(['resolved', 'swapping', '', 'WAITING'].map(parsePartnerStatus)).toEqual([null, null, null, null]);
});
