import { z } from 'zod';
import { TON_NETWORKS } from '../network/network';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of tokens of card holders, one stream per token. */
export const CARD_TOKEN_CATEGORY = 'cardToken';

/** @param digest SHA-256 of the token, hex: the token itself is nowhere */
export function cardTokenStream(digest: string): string {
  return `${CARD_TOKEN_CATEGORY}-${digest}`;
}

const about = {
  /** SHA-256, hex. */
  digest: z.string(),
  userId: z.string(),
  network: z.enum(TON_NETWORKS),
  /** RFC 3339 UTC instant with milliseconds. */
  at: z.iso.datetime(),
};

// These types are the storage format.
const issued = eventType({
  name: 'CardTokenIssued',
  schema: z.object({
    ...about,
    expiresAt: z.iso.datetime(),
    /** Times that all tokens of the user had been revoked by then. */
    epoch: z.int(),
    /** Where it was asked for, see `CallerSource`. */
    source: z.string(),
  }),
});
const revoked = eventType({ name: 'CardTokenRevoked', schema: z.object(about) });
/** It was issued long ago: nothing is known of it any more. */
const removed = eventType({ name: 'CardTokenRemoved', schema: z.object(about) });

export const cardTokenEvents = eventFamily(issued, revoked, removed);
export type CardTokenEvent = EventOf<typeof issued | typeof revoked | typeof removed>;
