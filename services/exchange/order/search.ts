import type { EventStore } from '../../../contracts/ports/event-store';
import {
  PartnerRefused,
  PartnerUnavailable,
  type ExchangePartner,
  type PartnerOrder,
} from '../../../contracts/ports/exchange-partner';
import { subtract, ZERO } from '../../../contracts/money/money';
import { ownerOfPartnerOrder } from './claim';
import { callerOf, type ExchangeOrder } from './state';

/** The clock of the partner may be behind ours. */
const MAX_SKEW_MS = 5 * 60_000;
const SEARCH_TIMEOUT_MS = 30_000;

/** Whether an order of the partner is what was asked for. */
export function isSameOrder(order: ExchangeOrder, found: PartnerOrder): boolean {
  return (
    found.from === order.fromCurrency &&
    found.to === order.toCurrency &&
    found.payoutAddress === order.payoutAddress &&
    found.refundAddress === order.refundAddress &&
    subtract(found.amountExpectedFrom, order.amountFrom) === ZERO
  );
}

/**
 * Orders at the partner that may be this one: those like it since it was asked for that no other order of ours has. Equal orders
 * of the same user may be on their way as well. @returns null when the partner does not say
 */
export async function findAtPartner(
  {
    store,
    partner,
  }: {
    readonly store: Pick<EventStore, 'readStream'>;
    readonly partner: () => Promise<Pick<ExchangePartner, 'ordersTo'>>;
  },
  order: ExchangeOrder,
): Promise<readonly PartnerOrder[] | null> {
  const since = Date.parse(order.firstCallAt!) - MAX_SKEW_MS;
  const signal = AbortSignal.timeout(SEARCH_TIMEOUT_MS);
  let found: readonly PartnerOrder[];
  try {
    const call = { priority: 'order', caller: callerOf(order), signal } as const;
    found = await (await partner()).ordersTo(order.payoutAddress, since, call);
  } catch (error) {
    // A refusal says as little of the order as silence.
    if (error instanceof PartnerUnavailable || error instanceof PartnerRefused) return null;
    throw error;
  }
  const free: PartnerOrder[] = [];
  for (const candidate of found.filter(each => isSameOrder(order, each))) {
    const owner = await ownerOfPartnerOrder(store, order.partner, candidate.id);
    // Claimed by an earlier run of this, which then died.
    if (owner === order.orderId) return [candidate];
    if (owner === null) free.push(candidate);
  }
  return free;
}
