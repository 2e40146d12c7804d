import { z } from 'zod';
import { accountKey, accountRef } from '../network/network';
import { sha256 } from '../encoding/sha256';

const shared = {
  /** Whose devices are notified. */
  account: accountRef,
  /** When it happened: RFC 3339 UTC instant with milliseconds. */
  at: z.iso.datetime(),
};

/** The statuses of an exchange order that are worth a notification: it has ended, or waits for its owner. */
export const NOTIFIED_ORDER_STATUSES = ['finished', 'failed', 'refunded', 'hold'] as const;

/** A nominator pool of TON, and the round after which something happened to its members. */
const roundOfPool = {
  /** Raw. */
  pool: z.string(),
  /** Its start in Unix seconds. */
  round: z.int(),
};

/** What happened to a card or its account, in the words of the wallet app, and what its holder is asked. */
export const NOTIFIED_CARD_EVENTS = [
  'card_ready',
  'card_freeze',
  'card_unfreeze',
  'card_block',
  'contract_closed',
  'deposit',
  'charge',
  'charge_failed',
  'charge_back',
  'confirmation_request',
  'otp_code',
  'activation_code',
] as const;
export type NotifiedCardEvent = (typeof NOTIFIED_CARD_EVENTS)[number];

/** What a device is notified of. */
export const pushCause = z.discriminatedUnion('kind', [
  z.object({
    ...shared,
    kind: z.literal('incoming_transaction'),
    /** Its hash in base64 on TON, its first signature on Solana. */
    transaction: z.string(),
    /** Its logical time on TON; null on Solana, and in what earlier versions queued. */
    lt: z.string().nullable().default(null),
  }),
  z.object({
    ...shared,
    kind: z.literal('order_status'),
    orderId: z.string(),
    status: z.enum(NOTIFIED_ORDER_STATUSES),
  }),
  z.object({
    ...shared,
    kind: z.literal('wallet_request'),
    requestId: z.string(),
    /** From then on nobody can answer it. */
    expiresAt: z.iso.datetime(),
  }),
  z.object({ ...shared, kind: z.literal('staking_round'), ...roundOfPool }),
  z.object({ ...shared, kind: z.literal('staking_withdrawal'), ...roundOfPool }),
  z.object({
    ...shared,
    kind: z.literal('card_event'),
    event: z.enum(NOTIFIED_CARD_EVENTS),
    /** That of card events, or of what the holder is asked. */
    eventId: z.string(),
    accountId: z.string(),
    cardId: z.string().nullable(),
    /** From then on nobody can answer it; null of what is no question. */
    expiresAt: z.iso.datetime().nullable(),
  }),
]);
export type PushCause = z.output<typeof pushCause>;

/** The kinds of notifications that others can cause any number of: a device gets a bounded number of each in an hour. */
export const CAPPED_KINDS = [
  'incoming_transaction',
  'order_status',
  'wallet_request',
  'staking_round',
  'staking_withdrawal',
  'card_event',
] as const;
export type CappedKind = (typeof CAPPED_KINDS)[number];

/** How many more there were of a kind in an hour than a device was notified of. */
const pushSummary = z.object({
  kind: z.literal('summary'),
  of: z.enum(CAPPED_KINDS),
  more: z.int(),
  /** The end of the hour: RFC 3339 UTC instant with milliseconds. */
  at: z.iso.datetime(),
});

/** What a notification tells: a cause, or a summary of several. */
export const notificationCause = z.discriminatedUnion('kind', [...pushCause.options, pushSummary]);
export type NotificationCause = z.output<typeof notificationCause>;

/** Identifies a cause among those of all accounts: the same whenever it is seen again. */
export function pushCauseId(cause: PushCause): string {
  const { kind, account } = cause;
  if (kind === 'incoming_transaction') return `${kind}/${accountKey(account)}/${cause.transaction}`;
  if (kind === 'order_status') return `${kind}/${cause.orderId}/${cause.status}`;
  if (kind === 'wallet_request') return `${kind}/${cause.requestId}`;
  if (kind === 'card_event') return `${kind}/${accountKey(account)}/${cause.eventId}`;
  // A fork may end a round again: that is no other one.
  return `${kind}/${accountKey(account)}/${cause.pool}/${cause.round}`;
}

/** The notification of a device of a cause, or of the summary of an hour: there is one at most. 32 hex digits. */
export function pushNotificationId(deviceId: string, cause: NotificationCause): string {
  const of = cause.kind === 'summary' ? `summary/${cause.of}/${cause.at}` : pushCauseId(cause);
  return digest(`push notification ${deviceId} ${of}`);
}

/**
 * An account in the registrations of devices: a pseudonym, so that events and documents list no addresses of a person. Anybody who
 * has an address can compute it. 32 hex digits. @param key `accountKey`
 */
export function pushAccountId(key: string): string {
  return digest(`push account ${key}`);
}

const digest = (text: string): string => sha256(text).subarray(0, 16).toString('hex');
