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

it('the user can close what they will not pay, what came to nothing and what waits for them', () => {
  expect(EXCHANGE_ORDER_STATUSES.filter(isResolvable).toSorted()).toEqual(
    ['new', 'waiting', 'failed', 'refunded', 'hold', 'expired', 'overdue'].toSorted(),
  );
});

describe('what was closed', () => {
  const reopening = (from: PartnerStatus) => STATUSES.filter(to => shownAfter('resolved', from, to) === to);

  it.each(['new', 'waiting', 'overdue', 'expired'] as const)(
    'at %s is shown again once it was paid',
    from => {
      expect(reopening(from)).toEqual(
        STATUSES.filter(to => !['new', 'waiting', 'overdue', 'expired'].includes(to)),
      );
    },
  );

  it.each(['hold', 'failed', 'confirming'] as const)(
    'at %s is shown again when the money has moved',
    from => {
      expect(reopening(from)).toEqual(['finished', 'refunded']);
    },
  );
});

it('what was not closed is shown as it is', () => {
  for (const from of STATUSES) expect(STATUSES.every(to => shownAfter(from, from, to) === to)).toBe(true);
});

it('only statuses of the partner are known', () => {
  expect(STATUSES.map(parsePartnerStatus)).toEqual(STATUSES);
  expect(['resolved', 'swapping', '', 'WAITING'].map(parsePartnerStatus)).toEqual([null, null, null, null]);
});
