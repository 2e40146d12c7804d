import type { z } from 'zod';
import type {
  createExchangeOrder,
  exchangeOrder,
  exchangeOrderHistory,
} from '../../../contracts/http/exchange/orders';
import { UNPAID_ORDER_STATUSES, type ExchangeOrderStatus } from '../../../contracts/events/exchange-order';
import { quotient } from '../../../contracts/money/decimal';
import { jsonObject, JsonText } from '../../../contracts/json/json-text';
import type { ExchangeOrderStateDocument, PlacedOrder } from '../../../projections/exchange/documents';
import { perDocument } from '../../../projections/per-document';
import type { ExchangeOrder } from './state';

type OrderView = z.input<typeof exchangeOrder>;
type CreatedView = z.input<NonNullable<typeof createExchangeOrder.response>>;
type StateView = z.input<NonNullable<typeof exchangeOrderHistory.response>>['states'][number];

/** What a user should know of an order that needs them; the partner reaches nobody but us. */
const DESCRIPTIONS: Partial<Record<ExchangeOrderStatus, string>> = {
  hold: 'The exchange service has stopped this order to check it: it may ask for documents. Contact support and name the order.',
  overdue: 'No payment was seen in time. A later payment is exchanged at the rate at that time.',
  expired: 'No payment was seen in time. A payment that comes later may be returned, or needs support.',
  refunded: 'The exchange service has returned the payment.',
};
const ERRORS: Partial<Record<ExchangeOrderStatus, string>> = {
  failed: 'The exchange failed. Contact support and name the order.',
};

/** An order as wallets see it, its text made once. */
export const orderText: (order: PlacedOrder) => JsonText<OrderView> = perDocument(
  order => new JsonText<OrderView>(JSON.stringify(orderView(order))),
);

function orderView(order: PlacedOrder): OrderView {
  const { _id: id, status, fromCurrency, toCurrency, network, sandbox, createdAt, updatedAt } = order;
  const { payinAddress, payinExtraId, payoutAddress, expiresAt, trackUrl } = order.placed;
  const { amountExpectedFrom, amountExpectedTo } = order.placed;
  const { amountFrom, amountTo, payinHash, payoutHash } = order.progress;
  const { networkFee, changellyFee, apiExtraFee, totalFee } = order.progress;
  return {
    id,
    status,
    description: descriptionOf(status, payinExtraId),
    fromCurrency,
    toCurrency,
    network,
    payinAddress,
    payinExtraId,
    payoutAddress,
    amountFrom,
    amountTo,
    amountExpectedFrom,
    amountExpectedTo,
    exchangeRate: exchangeRate(order),
    payinHash,
    payoutHash,
    networkFee,
    changellyFee,
    apiExtraFee,
    totalFee,
    error: ERRORS[status] ?? null,
    trackUrl,
    sandbox,
    createdAt,
    updatedAt,
    expiresAt,
  };
}

/** The app shows `payinAddress`, and knows no `payinExtraId`: the user is told in words, too. */
function descriptionOf(status: ExchangeOrderStatus, payinExtraId: string | null): string | null {
  const description = DESCRIPTIONS[status] ?? null;
  if (payinExtraId === null || !UNPAID_ORDER_STATUSES.some(unpaid => unpaid === status)) return description;
  const memo = `The payment must carry the memo or tag ${payinExtraId}: without it, it is lost.`;
  return description === null ? memo : `${description} ${memo}`;
}

/** What one of `toCurrency` costs in `fromCurrency`: of what was exchanged, and before that of what is expected. */
function exchangeRate({ placed, progress: { amountFrom, amountTo } }: PlacedOrder): string | null {
  const exchanged = amountFrom !== null && amountTo !== null ? quotient(amountFrom, amountTo) : null;
  return exchanged ?? quotient(placed.amountExpectedFrom, placed.amountExpectedTo);
}

/** The answer to `create`: text where wallets need text, also while nothing is known. */
export function createdView(order: ExchangeOrder, idempotencyKey: string): CreatedView {
  const { orderId: id, status, fromCurrency, toCurrency, network, sandbox, createdAt, updatedAt } = order;
  const { payinAddress, payinExtraId, payoutAddress, expiresAt, trackUrl } = order.placed!;
  const { amountExpectedFrom, amountExpectedTo } = order.placed!;
  const { rate, payinHash, payoutHash, networkFee, changellyFee, apiExtraFee, totalFee } = order.progress;
  const refundAddress = order.placed!.refundAddress ?? '';
  return {
    _id: id,
    id,
    status,
    fromCurrency,
    toCurrency,
    network,
    amountFrom: order.progress.amountFrom ?? amountExpectedFrom,
    amountTo: order.progress.amountTo ?? amountExpectedTo,
    amountExpectedFrom,
    amountExpectedTo,
    exchangeFee: totalFee ?? '0',
    rate: rate ?? quotient(amountExpectedTo, amountExpectedFrom) ?? '0',
    payinAddress,
    payinExtraId,
    payoutAddress,
    refundAddress,
    payinHash,
    payoutHash,
    networkFee: networkFee ?? '0',
    changellyFee,
    apiExtraFee: apiExtraFee ?? '0',
    totalFee: totalFee ?? '0',
    error: null,
    requestParams: {
      id,
      from: fromCurrency,
      to: toCurrency,
      amount: order.amountFrom,
      address: payoutAddress,
      refundAddress,
    },
    indempotencyKey: idempotencyKey,
    wallet: order.payoutAddress,
    trackUrl,
    sandbox,
    createdAt,
    updatedAt,
    expiresAt,
  };
}

export function stateView({ at, kind, status, observed, hash, by }: ExchangeOrderStateDocument): StateView {
  return {
    at,
    kind,
    ...(status !== null && { status }),
    ...(observed !== null && { observed }),
    ...(hash !== null && { hash }),
    ...(by !== null && { by }),
  };
}

export function orderAnswer(order: PlacedOrder): JsonText<{ ok: true; data: OrderView }> {
  return jsonObject<{ ok: true; data: OrderView }>({ ok: true, data: orderText(order) });
}

export function listAnswer(orders: readonly PlacedOrder[]): JsonText<{ ok: true; data: OrderView[] }> {
  return jsonObject<{ ok: true; data: OrderView[] }>({ ok: true, data: orders.map(orderText) });
}

/** The status beside the order too, for clients that look for nothing else. */
export function resolveAnswer(
  order: PlacedOrder,
): JsonText<{ ok: true; status: ExchangeOrderStatus; data: OrderView }> {
  return jsonObject<{ ok: true; status: ExchangeOrderStatus; data: OrderView }>({
    ok: true,
    status: order.status,
    data: orderText(order),
  });
}
