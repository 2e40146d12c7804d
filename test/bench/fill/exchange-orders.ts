import { randomUUID } from 'node:crypto';
import { formatTonAddress } from '../../../contracts/account/address';
import {
  exchangeOrderEvents,
  exchangeOrderId,
  exchangeOrderStream,
  type ExchangeOrderEvent,
} from '../../../contracts/events/exchange-order';
import type { EventStore, NewEvent } from '../../../contracts/ports/event-store';
import type { PartnerOrder } from '../../../contracts/ports/exchange-partner';
import type { TrackedOrder } from '../../../services/exchange/tracking/schedule';
import { PROGRESS } from '../../exchange/order';

const APPENDS = 500;

/** Appends orders that are at the given statuses; their ids are those at the partner too. */
export async function fillExchangeOrders(
  store: EventStore,
  orders: readonly TrackedOrder[],
  wallet: { readonly chain: 'ton'; readonly network: 'mainnet' | 'testnet'; readonly address: string },
): Promise<void> {
  for (let first = 0; first < orders.length; first += APPENDS)
    await Promise.all(
      orders
        .slice(first, first + APPENDS)
        .map(order =>
          store.append(
            exchangeOrderStream(order.orderId),
            'no_stream',
            eventsOf(order, wallet).map(toNewEvent),
          ),
        ),
    );
}

const toNewEvent = (event: ExchangeOrderEvent): NewEvent =>
  exchangeOrderEvents.write(event, randomUUID(), {}) as NewEvent;

function eventsOf(
  { orderId, status, since, expiresAt }: TrackedOrder,
  wallet: Parameters<typeof fillExchangeOrders>[2],
): ExchangeOrderEvent[] {
  const at = new Date(since).toISOString();
  const data = { orderId, at };
  const placed = {
    ...data,
    partnerOrderId: orderId,
    partnerCreatedAt: at,
    payinAddress: 'bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh',
    payinExtraId: null,
    payoutAddress: wallet.address,
    refundAddress: null,
    amountExpectedFrom: '0.1',
    amountExpectedTo: '1820.05',
    expiresAt: new Date(expiresAt).toISOString(),
    trackUrl: null,
    progress: PROGRESS,
  };
  const requested = {
    ...data,
    wallet,
    source: null,
    requestHash: '5f'.repeat(32),
    partner: 'changelly',
    sandbox: true,
    fromCurrency: 'btc',
    toCurrency: 'ton',
    network: 'bitcoin',
    amountFrom: '0.1',
    payoutAddress: wallet.address,
    refundAddress: null,
  };
  const isMoved = status !== 'new';
  return [
    { type: 'ExchangeOrderRequested', data: requested },
    { type: 'ExchangePartnerCallStarted', data: { ...data, attempt: 1 } },
    { type: 'ExchangeOrderCreated', data: placed },
    ...(isMoved
      ? ([
          {
            type: 'ExchangeOrderStatusObserved',
            data: { ...data, from: 'new', to: status, shown: status, progress: PROGRESS },
          },
        ] as const)
      : []),
  ];
}

/** The order as the partner shows it, without news. */
export function unchangedOrder(id: string, status: string): PartnerOrder {
  return {
    id,
    status,
    createdAt: '2026-03-01T12:00:00.000Z',
    payTill: null,
    from: 'btc',
    to: 'ton',
    payinAddress: 'bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh',
    payinExtraId: null,
    payoutAddress: '',
    refundAddress: null,
    amountExpectedFrom: '0.1',
    amountExpectedTo: '1820.05',
    trackUrl: null,
    ...PROGRESS,
  };
}

/** A wallet with some orders, which have ended. @returns its friendly address, and the id of an order */
export async function fillWalletOrders(
  store: EventStore,
  count: number,
): Promise<{ readonly address: string; readonly orderId: string }> {
  const wallet = { chain: 'ton', network: 'mainnet', address: `0:${'07'.repeat(32)}` } as const;
  const since = Date.parse('2026-03-01T12:00:00.000Z');
  const orders = Array.from({ length: count }, (_, n): TrackedOrder => {
    const at = since + n * 60_000;
    return { orderId: exchangeOrderId(wallet, String(n)), status: 'refunded', since: at, expiresAt: at };
  });
  await fillExchangeOrders(store, orders, wallet);
  return { address: formatTonAddress(wallet.address, wallet.network, false), orderId: orders[0]!.orderId };
}
