import { z } from 'zod';
import { TON_NETWORKS, type TonNetwork } from '../network/network';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of webhooks of the issuer that could not be used, one stream per webhook. */
export const CARD_WEBHOOK_CATEGORY = 'cardWebhook';

/** @param webhookId of the issuer, unique on a network */
export function cardWebhookStream(network: TonNetwork, webhookId: string): string {
  return `${CARD_WEBHOOK_CATEGORY}-${network}:${webhookId}`;
}

export const SET_ASIDE_REASONS = [
  'unreadable',
  'unknown_type',
  'unknown_card',
  'unknown_user',
  'other_currency',
  'refused',
] as const;
export type SetAsideReason = (typeof SET_ASIDE_REASONS)[number];

const about = { webhookId: z.string(), network: z.enum(TON_NETWORKS), at: z.iso.datetime() };

// These types are the storage format.
/** It was answered, so that the issuer does not repeat it for ever, and an operator is told. What it said is not stored. */
const setAside = eventType({
  name: 'CardWebhookSetAside',
  schema: z.object({
    ...about,
    /** As the issuer spells it; empty when it has none. */
    type: z.string(),
    reason: z.enum(SET_ASIDE_REASONS),
    /** For an operator. */
    detail: z.string(),
  }),
});
/** It was long ago: nothing is known of it any more. */
const removed = eventType({ name: 'CardWebhookRemoved', schema: z.object(about) });

export const cardWebhookEvents = eventFamily(setAside, removed);
export type CardWebhookEvent = EventOf<typeof setAside | typeof removed>;
