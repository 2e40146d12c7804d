import { z } from 'zod';
import { eventFamily, eventType, type EventOf } from './event-type';
import { aboutGaslessRequest, type GaslessSendRef } from './gasless-send';

/**
 * The category of the streams of gasless transfers that are handed over to the relayer of somebody else, one per wallet and seqno: a
 * wallet carries out one request of each seqno.
 */
export const GASLESS_HANDOVER_CATEGORY = 'gaslessHandover';

/** @param wallet raw */
export function gaslessHandoverStream({ network, wallet, seqno }: GaslessSendRef): string {
  return `${GASLESS_HANDOVER_CATEGORY}-${network}:${wallet}:${seqno}`;
}

// These types are the storage format.
/** Durable before the request is posted: from then on the other relayer may have it, whatever it answers. */
const handedOver = eventType({
  name: 'GaslessHandedOver',
  schema: z.object({
    ...aboutGaslessRequest,
    /** By which callers may ask for it, hex: of the body, and of the messages that may have it. */
    hashes: z.array(z.string()),
    /** Unix seconds: from then on the wallet refuses it. */
    validUntil: z.int(),
  }),
});
/** The other relayer has said that it sends it; or a fork has taken back what had become of it. */
const taken = eventType({ name: 'GaslessHandoverTaken', schema: z.object(aboutGaslessRequest) });
/** The other relayer has said at the first time that it does not. */
const refused = eventType({ name: 'GaslessHandoverRefused', schema: z.object(aboutGaslessRequest) });
/** The post has ended, and nobody knows whether the other relayer has it: it may be posted again. */
const unanswered = eventType({ name: 'GaslessHandoverUnanswered', schema: z.object(aboutGaslessRequest) });
/** Durable before the same request is posted again. */
const repeated = eventType({ name: 'GaslessHandoverRepeated', schema: z.object(aboutGaslessRequest) });
/**
 * What the chain says of it: `skipped` where the wallet has carried it out and not all transfers have arrived, `expired` where it
 * has not and will not.
 */
const ended = eventType({
  name: 'GaslessHandoverEnded',
  schema: z.object({
    ...aboutGaslessRequest,
    outcome: z.enum(['confirmed', 'skipped', 'expired']),
    /** Of the wallet, base64; null where it is not carried out. */
    transaction: z.object({ lt: z.string(), hash: z.string() }).nullable(),
  }),
});
/** It ended long ago: the stream is to be deleted, and what has its hashes. */
const removed = eventType({
  name: 'GaslessHandoverRemoved',
  schema: z.object({
    ...aboutGaslessRequest,
    /** Of all requests of the stream. */ hashes: z.array(z.string()),
  }),
});

export const gaslessHandoverEvents = eventFamily(
  ...([handedOver, taken, refused, unanswered, repeated, ended, removed] as const),
);
export type GaslessHandedOver = EventOf<typeof handedOver>;
export type GaslessHandoverEnded = EventOf<typeof ended>;
export type GaslessHandoverEvent = EventOf<
  | typeof handedOver
  | typeof taken
  | typeof refused
  | typeof unanswered
  | typeof repeated
  | typeof ended
  | typeof removed
>;
