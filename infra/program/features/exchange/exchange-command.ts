import { Command } from 'commander';
import { z } from 'zod';
import { isSolanaAddress } from '../../../../contracts/account/address';
import {
  EXCHANGE_ORDER_STATUSES,
  exchangeOrderEvents,
  exchangeOrderStream,
} from '../../../../contracts/events/exchange-order';
import { tonAddress } from '../../../../contracts/http/ton/fields';
import type { EventStore } from '../../../../contracts/ports/event-store';
import { Problem } from '../../../../contracts/problem/problem';
import {
  EXCHANGE_ORDER_OUTCOMES,
  type ExchangeOrderDocument,
} from '../../../../projections/exchange/documents';
import { exchangeOrdersProjection } from '../../../../projections/exchange/orders';
import { findOrder, findOrders } from '../../../../projections/exchange/queries';
import { anyWallet } from '../../../../services/exchange/order/wallet';
import { exchangeOrderKind } from '../../../../services/exchange/order/decider';
import type { Config } from '../../../config/settings';
import { decideAsOperator } from '../../commands/operator';
import { list, print, table } from '../../commands/output';
import { parseInput } from '../../commands/parse-input';
import { withReads } from '../../commands/reading';
import { writtenNumber } from '../../../../contracts/text/written-number';

const MAX_LISTED = 10_000;

const identified = z.object({ id: z.uuid().toLowerCase() });
const wanted = z.object({
  status: z.enum(EXCHANGE_ORDER_STATUSES).optional(),
  outcome: z.enum(EXCHANGE_ORDER_OUTCOMES),
  wallet: z
    .union([tonAddress, z.string().refine(isSolanaAddress)], 'must be a TON or Solana address')
    .optional(),
  limit: writtenNumber.int().min(1).max(MAX_LISTED),
});

/** Orders of the exchange, for support. */
export function exchangeCommand(config: () => Config): Command {
  return new Command('exchange')
    .description('exchange orders placed with the partner')
    .addCommand(listCommand(config))
    .addCommand(
      new Command('show')
        .description('show an order and its history')
        .argument('<id>')
        .action(async (text: string, _flags: object, command: Command) => {
          const { id } = parseInput(identified, { id: text });
          const { order, events } = await withReads(
            config(),
            [exchangeOrdersProjection],
            async ({ engine, engines: { store } }) => ({
              order: await findOrder(engine.views, id),
              events: await eventsOf(store, id),
            }),
          );
          if (events.length === 0) throw new Problem('exchange_order_not_found', 'There is no such order.');
          const history = events.map(({ at, type, about }) => [at, type, JSON.stringify(about)]);
          print(
            { order, events },
            [...(order ? [...lines([order]), ''] : []), ...table([['AT', 'EVENT', 'DATA'], ...history])],
            command,
          );
        }),
    )
    .addCommand(
      new Command('resolve')
        .description('close a failed order on behalf of its user')
        .argument('<id>')
        .action(async (text: string, _flags: object, command: Command) => {
          const { id: orderId } = parseInput(identified, { id: text });
          const { changed: resolved } = await decideAsOperator(config(), command, {
            about: { orderId },
            kind: exchangeOrderKind,
            stream: exchangeOrderStream(orderId),
            given: { type: 'resolve', by: 'operator' },
          });
          print(
            { orderId, resolved },
            [`${orderId}: ${resolved ? 'is resolved' : 'was resolved already'}`],
            command,
          );
        }),
    );
}

const listCommand = (config: () => Config): Command =>
  new Command('list')
    .description('show the newest orders')
    .option('--status <status>', `only those of one status: ${EXCHANGE_ORDER_STATUSES.join(', ')}`)
    .option('--outcome <outcome>', `outcome of the request: ${EXCHANGE_ORDER_OUTCOMES.join(', ')}`, 'placed')
    .option('--wallet <address>', 'only those of one wallet')
    .option('--limit <count>', `maximum number to show, at most ${MAX_LISTED}`, '100')
    .action(async (flags: object, command: Command) => {
      const { outcome, status, limit, wallet: address } = parseInput(wanted, flags);
      const wallet = address === undefined ? undefined : anyWallet(address, 'wallet');
      const orders = await withReads(config(), [exchangeOrdersProjection], ({ engine }) =>
        findOrders(engine.views, outcome, { wallet, status, limit }),
      );
      print({ orders }, lines(orders), command);
    });

async function eventsOf(store: EventStore, orderId: string) {
  const events: { at: string; type: string; position: number; about: object }[] = [];
  for await (const recorded of store.readStream(exchangeOrderStream(orderId))) {
    const { type, data, position } = exchangeOrderEvents.read(recorded);
    const { orderId: _orderId, at, ...about } = data;
    events.push({ at, type, position, about });
  }
  return events;
}

const lines = (orders: readonly ExchangeOrderDocument[]): string[] =>
  list('orders', [
    ['ORDER', 'STATUS', 'AMOUNT', 'FROM', 'TO', 'WALLET', 'PARTNER', 'CREATED', 'CHANGED'],
    ...orders.map(order => [
      order._id,
      order.outcome === 'placed' ? order.status : order.outcome,
      order.amountRequested,
      order.fromCurrency,
      order.toCurrency,
      order.wallet,
      order.placed?.partnerOrderId ?? '-',
      order.createdAt,
      order.updatedAt,
    ]),
  ]);
