import { isRefusal } from '../../../contracts/decider';
import { exchangeOrderStream } from '../../../contracts/events/exchange-order';
import type { PartnerOrderState } from '../../../contracts/ports/exchange-partner';
import type { Position } from '../../../contracts/position';
import type { Handle } from '../../commands/handle';
import { exchangeOrderKind, type ExchangeOrderCommand } from '../order/decider';
import type { ExchangeOrder } from '../order/state';

interface Observed {
  readonly order: ExchangeOrder;
  /** Of what was new; null when nothing was. */
  readonly position: Position | null;
}

/**
 * Records what the partner says of an order as it was loaded before the partner was asked. Nothing new costs no command: the decision
 * needs only the state.
 */
export async function observeOrder(
  handle: Handle,
  order: ExchangeOrder,
  read: PartnerOrderState,
  now: string,
): Promise<Observed> {
  const metadata = { now, actor: ACTOR };
  return execute(handle, order, { type: 'observe', order: read, asked: order, metadata });
}

/** Records that the time for the payment is over, once it is. */
export async function passExpiry(handle: Handle, order: ExchangeOrder, now: string): Promise<Observed> {
  return execute(handle, order, { type: 'passExpiry', metadata: { now, actor: ACTOR } });
}

const ACTOR = 'exchange order tracking';

async function execute(
  handle: Handle,
  order: ExchangeOrder,
  command: ExchangeOrderCommand,
): Promise<Observed> {
  const unchanged = { order, position: null };
  const decision = exchangeOrderKind.decider.decide(order, command);
  if (isRefusal(decision)) throw new Error(`order ${order.orderId}: ${decision.detail}`);
  if (decision.length === 0) return unchanged;
  const outcome = await handle(exchangeOrderKind, exchangeOrderStream(order.orderId), command);
  if (outcome.refusal) throw new Error(`order ${order.orderId}: ${outcome.refusal.detail}`);
  return { order: outcome.state ?? order, position: outcome.events.length > 0 ? outcome.position : null };
}
