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
  /** Of the relay wallet: that of the message. */
  seqno: z.int().min(0),
  /** Unix seconds: from then on the relay wallet refuses it. */
  validUntil: z.int(),
  /** RFC 3339 UTC instant with milliseconds. */
  at: z.iso.datetime(),
};

const message = {
  ...about,
  /** What it sends on: the wallets (raw), each once, their seqnos, and the hashes of what they have signed (hex). */
  requests: z.array(z.object({ wallet: z.string(), seqno: z.int().min(0), bodyHash: z.string() })).min(1),
  /** Of the cell of the message, hex. */
  messageHash: z.string(),
};

// These types are the storage format. Each event is the whole state: a decision needs no earlier event of the stream.
/** Signed once, and from here on the only message of the relay wallet that anybody sends, always with the same bytes. */
const signed = eventType({
  name: 'GaslessRelayMessageSigned',
  schema: z.object({ ...message, /** Bag of cells in base64. */ message: z.string() }),
});
/** The relay wallet has carried out its seqno: it is in a block, unless the key has signed another message of that seqno elsewhere. */
const included = eventType({ name: 'GaslessRelayMessageIncluded', schema: z.object(message) });
/** It can be in no block any more, also where it was in one that a fork has taken back. The seqno is that of the next one. */
const expired = eventType({ name: 'GaslessRelayMessageExpired', schema: z.object(about) });

export const gaslessRelayEvents = eventFamily(signed, included, expired);
export type GaslessRelayMessageSigned = EventOf<typeof signed>;
export type GaslessRelayMessageIncluded = EventOf<typeof included>;
export type GaslessRelayEvent = EventOf<typeof signed | typeof included | typeof expired>;
