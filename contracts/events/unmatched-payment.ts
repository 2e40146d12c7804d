import { z } from 'zod';
import { sha256 } from '../encoding/sha256';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of payments whose memo matched no fee when they arrived. Not part of the ledger: no fee changes. */
export const UNMATCHED_PAYMENT_CATEGORY = 'unmatchedPayment';

/**
 * All payments with one memo. The stream is named by the SHA-256 of the memo, in hex: a memo that matches no fee may be
 * any text, even personal.
 */
export function unmatchedPaymentStream(memo: string): string {
  return `${UNMATCHED_PAYMENT_CATEGORY}-${sha256(memo).toString('hex')}`;
}

// This type is the storage format.
const recorded = eventType({
  name: 'UnmatchedPaymentRecorded',
  /** The key of the account, the hash or signature, the asset as on the chain, and the amount in its smallest unit. */
  schema: z.object({ account: z.string(), transaction: z.string(), asset: z.string(), amount: z.string() }),
});
export type UnmatchedPayment = EventOf<typeof recorded>['data'];

export const unmatchedPaymentEvents = eventFamily(recorded);
export type UnmatchedPaymentEvent = EventOf<typeof recorded>;
