import { z } from 'zod';
import { TON_NETWORKS } from '../network/network';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of proofs of wallets, one stream per signature. */
export const CARD_PROOF_CATEGORY = 'cardProof';

/** @param digest SHA-256 of the 64 bytes of the signature, hex */
export function cardProofStream(digest: string): string {
  return `${CARD_PROOF_CATEGORY}-${digest}`;
}

// This type is the storage format.
/** A signature enrols once. */
const used = eventType({
  name: 'CardProofUsed',
  schema: z.object({
    /** As in the name of the stream. */
    digest: z.string(),
    network: z.enum(TON_NETWORKS),
    /** Unix seconds, as signed. */
    signedAt: z.int(),
    /** RFC 3339 UTC instant with milliseconds. */
    at: z.iso.datetime(),
  }),
});

export const cardProofEvents = eventFamily(used);
export type CardProofUsed = EventOf<typeof used>;
