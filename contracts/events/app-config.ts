import { z } from 'zod';
import { TON_NETWORKS, type TonNetwork } from '../network/network';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of what operators configure in wallets, one stream per document and network. */
export const APP_CONFIG_CATEGORY = 'appConfig';

/** `app`: what `GET /appconfig/{network}` answers; `versions`: what `GET /appconfig/versions/{network}` does. */
export const APP_CONFIGS = ['app', 'versions'] as const;
export type AppConfigName = (typeof APP_CONFIGS)[number];

/** Such as `versions:mainnet`: the id of the document, and in the name of the stream. */
export function appConfigId(name: AppConfigName, network: TonNetwork): string {
  return `${name}:${network}`;
}

export function appConfigStream(name: AppConfigName, network: TonNetwork): string {
  return `${APP_CONFIG_CATEGORY}-${appConfigId(name, network)}`;
}

// This type is the storage format.
const published = eventType({
  name: 'AppConfigPublished',
  schema: z.object({
    name: z.enum(APP_CONFIGS),
    network: z.enum(TON_NETWORKS),
    /** From 1, without gaps. */
    version: z.int(),
    content: z.record(z.string(), z.json()),
    /** The earlier version whose content this is again; null unless it was a rollback. */
    restores: z.int().nullable(),
    /** RFC 3339 UTC instant with milliseconds. */
    at: z.iso.datetime(),
    by: z.string(),
  }),
});

export const appConfigEvents = eventFamily(published);
export type AppConfigEvent = EventOf<typeof published>;
