import { EXCHANGE_ORDER_STATUSES } from '../../contracts/events/exchange-order';
import { ALWAYS_LISTED, listedUntil } from './listed-until';

const AT = '2026-03-01T12:00:00.000Z';
const EXPIRES = '2026-03-02T11:00:00.000Z';

it('an order is listed while it may move or needs its user, and a while after its end', () => {
  const until = EXCHANGE_ORDER_STATUSES.map(status => [status, listedUntil(status, AT, EXPIRES)]);
  expect(Object.fromEntries(until)).toEqual({
    new: '2026-03-09T11:00:00.000Z',
    waiting: '2026-03-09T11:00:00.000Z',
    confirming: ALWAYS_LISTED,
    exchanging: ALWAYS_LISTED,
    sending: ALWAYS_LISTED,
    hold: ALWAYS_LISTED,
    finished: '2026-03-02T12:00:00.000Z',
    refunded: '2026-03-02T12:00:00.000Z',
    failed: '2026-03-08T12:00:00.000Z',
    expired: '2026-03-08T12:00:00.000Z',
    overdue: '2026-03-08T12:00:00.000Z',
    resolved: AT,
  });
});
