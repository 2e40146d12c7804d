import { z } from 'zod';
import { TON_NETWORKS } from '../network/network';
import { encryptedText } from '../text/personal-text';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of wallet requests, one stream per request. */
export const WALLET_REQUEST_CATEGORY = 'walletRequest';

/** @param requestId 32 lower-case hex digits: the first 16 bytes of the SHA-256 of the signature that created the request */
export function walletRequestStream(requestId: string): string {
  return `${WALLET_REQUEST_CATEGORY}-${requestId}`;
}

const parties = {
  requestId: z.string(),
  network: z.enum(TON_NETWORKS),
  /** Raw. */
  requestor: z.string(),
  /** Raw. */
  confirmant: z.string(),
  /** RFC 3339 UTC instant with milliseconds. */
  at: z.iso.datetime(),
};

const answer = z.object({
  ...parties,
  /** Unix seconds, as signed. */
  signedAt: z.int(),
  /** Hex: the key of the confirmant. */
  publicKey: z.string(),
  /** Base64. */
  signature: z.string(),
  /** By the confirmant; null when there is none. */
  response: encryptedText.nullable(),
});

// These types are the storage format.
const created = eventType({
  name: 'WalletRequestCreated',
  version: 2,
  schema: z.object({
    ...parties,
    /** Where it was sent from, see `CallerSource`; null in version 1. */
    source: z.string().nullable(),
    expiresAt: z.iso.datetime(),
    /** By the requestor; null when there is none. */
    message: encryptedText.nullable(),
    /** JSON, by the requestor; null when there is none. */
    metadata: encryptedText.nullable(),
  }),
  upcasts: { 1: data => ({ ...data, source: null }) },
});
const confirmed = eventType({ name: 'WalletRequestConfirmed', schema: answer });
const declined = eventType({ name: 'WalletRequestDeclined', schema: answer });
/** Nobody has answered in time. */
const expired = eventType({ name: 'WalletRequestExpired', schema: z.object(parties) });

/** It has ended long ago: nothing is known of it any more. */
const removed = eventType({ name: 'WalletRequestRemoved', schema: z.object(parties) });

export const walletRequestEvents = eventFamily(created, confirmed, declined, expired, removed);
export type WalletRequestEvent = EventOf<
  typeof created | typeof confirmed | typeof declined | typeof expired | typeof removed
>;
export type WalletRequestAnswer = z.output<typeof answer>;
