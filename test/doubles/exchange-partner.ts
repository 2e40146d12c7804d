import {
  PartnerOutcomeUnknown,
  PartnerRefused,
  PartnerUnavailable,
  type ExchangePartner,
  type NewPartnerOrder,
  type PartnerOrder,
} from '../../contracts/ports/exchange-partner';
import { partnerOrder } from '../exchange/order';

/** How a call that asks for an order ends; what is made and lost shows after `listedAfterMs`. */
export type CreateBehaviour =
  | 'create'
  | 'refuse'
  | 'unavailable'
  /** The order is made, and its answer lost. */
  | 'create_and_lose'
  /** No order is made, which nobody hears of. */
  | 'lose'
  /** The answer is the order that was made before. */
  | 'duplicate'
  /** The answer pays somebody else. */
  | 'another_address'
  /** A fault of the adapter. */
  | 'throw';

type Port = Pick<ExchangePartner, 'id' | 'sandbox' | 'createOrder' | 'ordersTo'>;

export interface PartnerDouble extends Port {
  /** Made by calls, oldest first, and when. */
  readonly made: { readonly order: PartnerOrder; readonly at: number }[];
  /** Of the next calls; then `create`. */
  readonly next: CreateBehaviour[];
  calls: number;
  /** Searches that the partner does not answer. */
  unansweredSearches: number;
}

/** A double of the port to the partner, in memory. @param listedAfterMs when a new order is found by its address */
export function partnerDouble(clock: () => Date, listedAfterMs = 0): PartnerDouble {
  const make = ({ from, to, amountFrom, payoutAddress, refundAddress }: NewPartnerOrder): PartnerOrder => {
    const order = partnerOrder({
      id: `p${double.made.length + 1}`,
      status: 'new',
      createdAt: clock().toISOString(),
      from,
      to,
      amountExpectedFrom: amountFrom,
      payoutAddress,
      refundAddress,
    });
    double.made.push({ order, at: clock().getTime() });
    return order;
  };
  const double: PartnerDouble = {
    id: 'changelly',
    sandbox: true,
    made: [],
    next: [],
    calls: 0,
    unansweredSearches: 0,
    async createOrder(asked) {
      double.calls++;
      const behaviour = double.next.shift() ?? 'create';
      if (behaviour === 'refuse') throw new PartnerRefused('amount_too_low', 'Minimal amount is 0.2 btc');
      if (behaviour === 'unavailable') throw new PartnerUnavailable('not reached');
      if (behaviour === 'lose') throw new PartnerOutcomeUnknown('connection lost');
      if (behaviour === 'throw') throw new TypeError('a fault');
      if (behaviour === 'duplicate' && double.made.length > 0) return double.made[0]!.order;
      const order = make(asked);
      if (behaviour === 'create_and_lose') throw new PartnerOutcomeUnknown('connection lost');
      return behaviour === 'another_address' ? { ...order, payoutAddress: 'of somebody else' } : order;
    },
    async ordersTo(payoutAddress, since) {
      if (double.unansweredSearches-- > 0) throw new PartnerUnavailable('not reached');
      const listed = double.made.filter(({ at }) => at + listedAfterMs <= clock().getTime());
      return listed
        .map(({ order }) => order)
        .filter(order => order.payoutAddress === payoutAddress && Date.parse(order.createdAt) >= since);
    },
  };
  return double;
}
