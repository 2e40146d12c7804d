import { z } from 'zod';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of connection sessions, one per public key of a session of an application. */
export const CONNECT_SESSION_CATEGORY = 'connectSession';

/** @param key base64url */
export function connectSessionStream(key: string): string {
  return `${CONNECT_SESSION_CATEGORY}-${key}`;
}

/**
 * `ton-x`: the application opens the session, then a wallet answers. `tonconnect-v2`: a wallet reports a connection over the
 * bridge.
 */
export const CONNECT_KINDS = ['ton-x', 'tonconnect-v2'] as const;
export type ConnectKind = (typeof CONNECT_KINDS)[number];

export const CONNECT_WALLET_TYPES = ['org.ton.wallets.v4', 'org.ton.wallets.v5'] as const;

/** `key`: base64url. `at`: RFC 3339 UTC instant with milliseconds. */
const about = { key: z.string(), at: z.iso.datetime() };

const wallet = z.object({
  /** Raw. */
  address: z.string(),
  walletType: z.enum(CONNECT_WALLET_TYPES),
  /** As the wallet wrote it: `wc=..,pk=..,walletId=..`. */
  walletConfig: z.string(),
  /** Base64. */
  walletSig: z.string(),
  /** Base64url. */
  appPublicKey: z.string(),
  /** As the wallet signed it; null when it signed none. */
  endpoint: z.string().nullable(),
});
export type ConnectWallet = z.output<typeof wallet>;

/** `CallerSource` of the day. Null in version 1. */
const source = z.string().nullable();
const withoutSource = { 1: (data: object) => ({ ...data, source: null }) };

// These types are the storage format.
const opened = eventType({
  name: 'ConnectSessionOpened',
  version: 2,
  schema: z.object({
    ...about,
    source,
    testnet: z.boolean(),
    name: z.string(),
    url: z.string(),
    /** Until then a wallet may answer. */
    expiresAt: z.iso.datetime(),
  }),
  upcasts: withoutSource,
});
/** The first event of a session of kind `tonconnect-v2`. */
const answered = eventType({
  name: 'ConnectSessionAnswered',
  version: 2,
  schema: z.object({
    ...about,
    source,
    kind: z.enum(CONNECT_KINDS),
    testnet: z.boolean(),
    /** Of the application, as the wallet knows it; null when it did not say. */
    name: z.string().nullable(),
    wallet,
  }),
  upcasts: withoutSource,
});
const granted = eventType({ name: 'ConnectSessionGranted', schema: z.object(about) });
const revoked = eventType({ name: 'ConnectSessionRevoked', schema: z.object(about) });
/** The application or the wallet still uses it, which is recorded from time to time. */
const used = eventType({ name: 'ConnectSessionUsed', schema: z.object(about) });
/** Nothing has happened in it for long: nothing is known of it any more, but whether it was revoked after a wallet had answered. */
const removed = eventType({
  name: 'ConnectSessionRemoved',
  version: 2,
  schema: z.object({ ...about, revoked: z.boolean() }),
  upcasts: { 1: data => ({ ...data, revoked: false }) },
});

export const connectSessionEvents = eventFamily(opened, answered, granted, revoked, used, removed);
export type ConnectSessionEvent = EventOf<
  typeof opened | typeof answered | typeof granted | typeof revoked | typeof used | typeof removed
>;
