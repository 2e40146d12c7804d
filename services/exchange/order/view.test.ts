import { EXCHANGE_ORDER_STATUSES, NO_PROGRESS } from '../../../contracts/events/exchange-order';
import type { PlacedOrder } from '../../../projections/exchange/documents';
import { at, partnerOrder, REQUEST } from '../../../test/exchange/order';
import { orderText } from './view';

function descriptionOf(status: PlacedOrder['status'], payinExtraId: string | null): string | null {
  const order = {
    ...REQUEST,
    _id: REQUEST.orderId,
    status,
    createdAt: at(0),
    updatedAt: at(0),
    progress: NO_PROGRESS,
    placed: { ...partnerOrder({ payinExtraId }), expiresAt: at(3_600) },
  };
  return orderText(order as unknown as PlacedOrder).parse().description;
}

it('an order says what its payment must carry as long as it may be paid, for wallets that show no memo', () => {
  const saying = EXCHANGE_ORDER_STATUSES.filter(status => descriptionOf(status, '4711')?.includes('4711'));
  expect(saying).toEqual(['new', 'waiting', 'expired', 'overdue']);
  expect(descriptionOf('overdue', '4711')).toMatch(/^No payment was seen in time\..* 4711/);
  expect(descriptionOf('waiting', null)).toBeNull();
});
