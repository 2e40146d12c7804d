import { z } from 'zod';
import { TON_NETWORKS, type TonNetwork } from '../network/network';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of relay wallets: what each has signed, one message at a time. */
export const GASLESS_RELAY_CATEGORY = 'gaslessRelay';

/** @param relay raw */
export function gaslessRelayStream(network: TonNetwork, relay: string): string {
  return `${GASLESS_RELAY_CATEGORY}-${network}:${relay}`;
}

const about = {
  network: z.enum(TON_NETWORKS),
  /** Raw. */
  relay: z.string(),
  /** Messages that were signed so far, this one included: two that know the same number cannot both sign the next. */
  count: z.int().positive(),
  /** Of the relay wallet. */
  seqno: z.int().min(0),
  /** RFC 3339 UTC instant with milliseconds. */
  at: z.iso.datetime(),
};

// These types are the storage format. Each event is the whole state: a decision needs no earlier event of the stream.
/** Signed once, and from here on the only message of the relay wallet that anybody sends, always with the same bytes. */
const signed = eventType({
  name: 'GaslessRelayMessageSigned',
  schema: z.object({
    ...about,
    /** Whose request it sends on: raw, and the wallet's seqno. */
    wallet: z.string(),
    walletSeqno: z.int().min(0),
    bodyHash: z.string(),
    /** Bag of cells in base64. */
    message: z.string(),
    /** Unix seconds: from then on the relay wallet refuses it. */
    validUntil: z.int(),
  }),
});
/** It is in a block. */
const included = eventType({ name: 'GaslessRelayMessageIncluded', schema: z.object(about) });
/** It can be in no block any more. */
const expired = eventType({ name: 'GaslessRelayMessageExpired', schema: z.object(about) });

export const gaslessRelayEvents = eventFamily(signed, included, expired);
export type GaslessRelayMessageSigned = EventOf<typeof signed>;
export type GaslessRelayEvent = EventOf<typeof signed | typeof included | typeof expired>;
