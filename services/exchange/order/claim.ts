import { eventId } from '../../../contracts/events/event-id';
import {
  exchangePartnerOrderEvents,
  exchangePartnerOrderStream,
} from '../../../contracts/events/exchange-partner-order';
import { WrongExpectedRevision, type EventStore } from '../../../contracts/ports/event-store';

/** An order of a partner, as one of ours takes it. */
interface Claim {
  readonly partner: string;
  readonly partnerOrderId: string;
  /** Ours. */
  readonly orderId: string;
  /** RFC 3339 UTC instant with milliseconds. */
  readonly at: string;
}

/**
 * Makes an order of the partner ours, for good. The revision of its stream decides, so that two of our orders never have
 * the same one. @returns false when it is another's
 */
export async function claimPartnerOrder(store: Pick<EventStore, 'append'>, claim: Claim): Promise<boolean> {
  const stream = exchangePartnerOrderStream(claim.partner, claim.partnerOrderId);
  // The same owner has the same event id, and a repeated append is no conflict.
  const id = eventId(claim.orderId, stream, 0);
  const metadata = { now: claim.at, actor: 'exchange placing' };
  const event = { type: 'ExchangePartnerOrderClaimed', data: claim } as const;
  try {
    await store.append(stream, 'no_stream', [exchangePartnerOrderEvents.write(event, id, metadata)]);
    return true;
  } catch (error) {
    if (error instanceof WrongExpectedRevision) return false;
    throw error;
  }
}

/** The id of our order that has an order of the partner; null when none has it. */
export async function ownerOfPartnerOrder(
  store: Pick<EventStore, 'readStream'>,
  partner: string,
  partnerOrderId: string,
): Promise<string | null> {
  const stream = exchangePartnerOrderStream(partner, partnerOrderId);
  for await (const event of store.readStream(stream, { limit: 1 }))
    return exchangePartnerOrderEvents.read(event).data.orderId;
  return null;
}
