import {
  createExchangeOrder,
  exchangeOrderDetails,
  exchangeOrderHistory,
  listExchangeOrders,
  MAX_ORDER_STATES,
  resolveExchangeOrder,
} from '../../../contracts/http/exchange/orders';
import { exchangeOrderStream } from '../../../contracts/events/exchange-order';
import { accountKey, type AccountRef } from '../../../contracts/network/network';
import { formatPosition, type Position } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem/problem';
import { EXCHANGE_ORDERS, type PlacedOrder } from '../../../projections/exchange/documents';
import { findOrderStates, findPlacedOrder } from '../../../projections/exchange/queries';
import { bind, type Binding } from '../../http/binding';
import { Reply } from '../../http/call';
import { waitUntilFolded } from '../../commands/wait-until-folded';
import { exchangeOrderKind } from './decider';
import type { ExchangeOrderDeps } from '../deps';
import { listOrders } from './list';
import { createdView, listAnswer, orderAnswer, resolveAnswer, stateView } from './view';
import { anyWallet, solanaWallet, tonWallet } from './wallet';

const DEFAULT_LISTED = 50;
const MINUTE_MS = 60_000;

/** Orders of the exchange through the partner. */
export function exchangeOrderRoutes(deps: ExchangeOrderDeps): Binding[] {
  const { views, waitMs } = deps;

  const expectReached = (position: Position | null, signal: AbortSignal): Promise<void> =>
    waitUntilFolded(views, [EXCHANGE_ORDERS.name], position, waitMs, signal);

  return [
    bind(createExchangeOrder, async call => {
      const { order, position } = await deps.create(call.body, call);
      await views.waitForPosition(EXCHANGE_ORDERS.name, position, waitMs);
      return new Reply(createdView(order, call.body.idempotencyKey), {
        'X-Ledger-Position': formatPosition(position),
      });
    }),
    bind(exchangeOrderDetails, async ({ body, minPosition, signal }) => {
      await expectReached(minPosition, signal);
      return orderAnswer(await expectOrder(deps, body));
    }),
    bind(resolveExchangeOrder, async ({ body, ip, signal }) => {
      const order = await expectOrder(deps, body);
      const isClosedByUser = !!body.wallet || !!body.resolution;
      const closed = isClosedByUser ? await close(deps, order, deps.sourceOf(ip)) : null;
      const position = closed ?? (await deps.refresh(order._id));
      if (position === null) return resolveAnswer(order);
      await expectReached(position, signal);
      return new Reply(resolveAnswer(await expectOrder(deps, body)), {
        'X-Ledger-Position': formatPosition(position),
      });
    }),
    bind(listExchangeOrders, async ({ body, ip, minPosition, signal }) => {
      await expectReached(minPosition, signal);
      const wallets = walletsOf(body);
      const status = body.status ?? undefined;
      const limit = body.limit ?? DEFAULT_LISTED;
      const offset = body.offset ?? 0;
      const now = deps.clock().getTime();
      const source = deps.sourceOf(ip);
      return views.cached(
        {
          // Orders leave the list by the clock too.
          key: ['exchange orders', wallets, status, limit, offset, source, Math.floor(now / MINUTE_MS)],
          sources: [{ collection: EXCHANGE_ORDERS.name }],
        },
        async () => {
          const page = { status, limit, offset };
          const reader = { source, now: new Date(now).toISOString() };
          return listAnswer(await listOrders(views, wallets, page, reader));
        },
      );
    }),
    bind(exchangeOrderHistory, async ({ params: { orderId }, minPosition, signal }) => {
      await expectReached(minPosition, signal);
      const { _id: id, status, sandbox } = await expectOrder(deps, { orderId });
      const states = await findOrderStates(views, id, MAX_ORDER_STATES);
      return { ok: true as const, id, status, sandbox, states: states.map(stateView) };
    }),
  ];
}

/** Closes an order for its user. Null when it may still succeed, or has, or the call may not close it: then it is only refreshed. */
async function close(
  { handle, clock }: ExchangeOrderDeps,
  { _id, wallet }: PlacedOrder,
  source: string,
): Promise<Position | null> {
  const metadata = { now: clock().toISOString(), actor: wallet };
  const command = { type: 'resolve', by: 'wallet', source, metadata } as const;
  const outcome = await handle(exchangeOrderKind, exchangeOrderStream(_id), command);
  return outcome.refusal ? null : outcome.position;
}

interface Identified {
  readonly transactionId?: string | undefined;
  readonly orderId?: string | undefined;
  readonly id?: string | undefined;
  readonly wallet?: string | null | undefined;
}

/** @throws Problem 404 `exchange_order_not_found`, also for an order of another wallet than the one that is named */
async function expectOrder(
  { views }: Pick<ExchangeOrderDeps, 'views'>,
  { transactionId, orderId, id, wallet }: Identified,
): Promise<PlacedOrder> {
  const named = transactionId ?? orderId ?? id;
  if (named === undefined) throw Problem.invalid('/body/transactionId', 'the id of an order is missing');
  const account = wallet ? accountKey(anyWallet(wallet, '/body/wallet')) : null;
  const order = await findPlacedOrder(views, named);
  if (!order || (account !== null && order.wallet !== account))
    throw new Problem('exchange_order_not_found', 'There is no such order of this wallet.');
  return order;
}

interface Listed {
  readonly address?: string | null | undefined;
  readonly wallet?: { readonly ton: string; readonly solana?: string | null | undefined } | null | undefined;
}

/** @throws Problem 400 unless there is one of both spellings */
function walletsOf({ address, wallet }: Listed): AccountRef[] {
  if (wallet) {
    if (address) throw Problem.invalid('/body/address', 'either `address` or `wallet`, not both');
    const ton = tonWallet(wallet.ton, '/body/wallet/ton');
    return wallet.solana ? [ton, solanaWallet(wallet.solana)] : [ton];
  }
  if (!address) throw Problem.invalid('/body/address', 'the address of a wallet is missing');
  return [anyWallet(address, '/body/address')];
}
