import { z } from 'zod';
import { eventFamily, eventType, type EventOf } from './event-type';
import { TON_NETWORKS, type TonNetwork } from '../network/network';

/** The category of the streams of what a relayer may lose, one stream per network and subject. */
export const GASLESS_BUDGET_CATEGORY = 'gaslessBudget';

/** @param subject whom it is lost for: all, a wallet, a key, or where calls come from */
export function gaslessBudgetStream(network: TonNetwork, subject: string): string {
  return `${GASLESS_BUDGET_CATEGORY}-${network}:${subject}`;
}

// These types are the storage format. Each event is the whole state: a decision needs no earlier event of the stream.
const state = {
  network: z.enum(TON_NETWORKS),
  subject: z.string(),
  /** Nanotons that were reserved in the minute and in the day (UTC), which begin then. */
  minute: z.iso.datetime(),
  inMinute: z.string().regex(/^\d+$/),
  day: z.iso.datetime(),
  inDay: z.string().regex(/^\d+$/),
  /** Requests that were refused by their wallet, each of which has cost the relayer something. */
  bounces: z.int().min(0),
  /** Until then nothing is reserved. */
  cooldownUntil: z.iso.datetime().nullable(),
  /** What was reserved or has bounced last, hex. */
  last: z.string(),
  /** Those that are counted, hex, each once; the newest of them. Absent in events that were written before there was a list. */
  bounced: z.array(z.string()).optional(),
  at: z.iso.datetime(),
};
const reserved = eventType({ name: 'GaslessBudgetReserved', schema: z.object(state) });
const bounceCounted = eventType({ name: 'GaslessBounceCounted', schema: z.object(state) });
/** A fork has had the wallet carry it out. */
const bounceRetracted = eventType({ name: 'GaslessBounceRetracted', schema: z.object(state) });

export const gaslessBudgetEvents = eventFamily(reserved, bounceCounted, bounceRetracted);
export type GaslessBudgetEvent = EventOf<typeof reserved | typeof bounceCounted | typeof bounceRetracted>;
