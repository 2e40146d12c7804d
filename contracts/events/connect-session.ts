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

// These types are the storage format.
const opened = eventType({
  name: 'ConnectSessionOpened',
  schema: z.object({
    ...about,
    testnet: z.boolean(),
    name: z.string(),
    url: z.string(),
    /** Until then a wallet may answer. */
    expiresAt: z.iso.datetime(),
  }),
});
/** The first event of a session of kind `tonconnect-v2`. */
const answered = eventType({
  name: 'ConnectSessionAnswered',
  schema: z.object({
    ...about,
    kind: z.enum(CONNECT_KINDS),
    testnet: z.boolean(),
    /** Of the application, as the wallet knows it; null when it did not say. */
    name: z.string().nullable(),
    wallet,
  }),
});
const granted = eventType({ name: 'ConnectSessionGranted', schema: z.object(about) });
const revoked = eventType({ name: 'ConnectSessionRevoked', schema: z.object(about) });
/** No wallet has answered in time, long ago: nothing is known of it any more. */
const removed = eventType({ name: 'ConnectSessionRemoved', schema: z.object(about) });

export const connectSessionEvents = eventFamily(opened, answered, granted, revoked, removed);
export type ConnectSessionEvent = EventOf<
  typeof opened | typeof answered | typeof granted | typeof revoked | typeof removed
>;
