import { z } from 'zod';
import { sha256 } from '../seal/sha256';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of payments that named a fee before it was recorded. Not part of the ledger: no fee changes. */
export const EARLY_PAYMENT_CATEGORY = 'earlyPayment';

/**
 * All early payments for one fee. By the digest of their memo (SHA-256, in hex), since a memo that no fee ever answers to
 * may be anybody's words; for whoever knows the id of the fee it is the same.
 */
export function earlyPaymentStream(memo: string): string {
  return `${EARLY_PAYMENT_CATEGORY}-${sha256(memo).toString('hex')}`;
}

// This type is the storage format.
const noted = eventType({
  name: 'EarlyPaymentNoted',
  /** The key of the account, the hash or signature, the asset as the chain tells it, and its smallest units. */
  schema: z.object({ account: z.string(), transaction: z.string(), asset: z.string(), amount: z.string() }),
});
export type EarlyPayment = EventOf<typeof noted>['data'];

export const earlyPaymentEvents = eventFamily(noted);
export type EarlyPaymentEvent = EventOf<typeof noted>;
