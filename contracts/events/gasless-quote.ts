import { z } from 'zod';
import { TON_NETWORKS, type TonNetwork } from '../network/network';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of quotes, one per wallet and what it may sign, but for the amount. */
export const GASLESS_QUOTE_CATEGORY = 'gaslessQuote';

/** @param quoteKey hex: follows from what a wallet signs, so that a send names its quote by its own content */
export function gaslessQuoteStream(network: TonNetwork, quoteKey: string): string {
  return `${GASLESS_QUOTE_CATEGORY}-${network}:${quoteKey}`;
}

/** A decimal integer. */
const integer = z.string().regex(/^\d+$/);

// These types are the storage format. Each event is the whole state: a decision needs no earlier event of the stream.
const quoted = eventType({
  name: 'GaslessQuoted',
  schema: z.object({
    network: z.enum(TON_NETWORKS),
    quoteKey: z.string(),
    /** Raw: of the user, the master of the jetton, the wallet of the relayer. */
    wallet: z.string(),
    master: z.string(),
    relay: z.string(),
    /** The seqno that the wallet had. */
    seqno: z.int().min(0),
    /** Smallest units of the jetton: the most that may be sent, by the quotes of this stream that are still valid. */
    amount: integer,
    commission: integer,
    /** Nanotons: what the relayer attaches, and what of it, with its own fees, it expects to lose. */
    attached: integer,
    loss: integer,
    /** So many smallest units for so many nanotons, and since when that is known. */
    rate: z.object({ units: integer, nanotons: integer, at: z.iso.datetime() }),
    /** Unix seconds. */
    validUntil: z.int(),
    /** RFC 3339 UTC instant with milliseconds. */
    at: z.iso.datetime(),
  }),
});

export const gaslessQuoteEvents = eventFamily(quoted);
export type GaslessQuoted = EventOf<typeof quoted>;
