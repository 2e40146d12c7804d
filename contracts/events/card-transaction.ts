import { z } from 'zod';
import { TON_NETWORKS } from '../network/network';
import { cardEntry } from './card-account';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of transactions of cards that have not changed for long. */
export const CARD_TRANSACTION_CATEGORY = 'cardTransaction';

/** @param transactionId of the issuer, unique in an account */
export function cardTransactionStream(accountId: string, transactionId: string): string {
  return `${CARD_TRANSACTION_CATEGORY}-${accountId}:${transactionId}`;
}

// This type is the storage format. Each event is the whole transaction.
/** The state of the account drops the transaction; should anything still arrive of it, its entries are read here. */
const archived = eventType({
  name: 'CardTransactionArchived',
  schema: z.object({
    accountId: z.string(),
    network: z.enum(TON_NETWORKS),
    transactionId: z.string(),
    cardId: z.string().nullable(),
    entries: z.array(cardEntry),
    at: z.iso.datetime(),
  }),
});

export const cardTransactionEvents = eventFamily(archived);
export type CardTransactionEvent = EventOf<typeof archived>;
