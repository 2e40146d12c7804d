import { v5 } from 'uuid';
import { z } from 'zod';
import type { JsonObject } from '../json/json';
import { accountRef, TON_NETWORKS } from '../network/network';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of accounts of cards, one stream per account. */
export const CARD_ACCOUNT_CATEGORY = 'cardAccount';

export function cardAccountStream(accountId: string): string {
  return `${CARD_ACCOUNT_CATEGORY}-${accountId}`;
}

const NAMESPACE = '0c8f6a52-7d1b-5e0a-9b64-3f2d5a1c7e90';

/**
 * A UUIDv5, so that an account that is opened again is the same one. A user id is of one network.
 * @param name which of the accounts of the user: its currency, and a number where there are several of it
 */
export function cardAccountId(userId: string, name: string): string {
  return v5(`${userId}/${name}`, NAMESPACE);
}

/** As the wire spells them. A closed account still takes what was bought with it before. */
export const CARD_ACCOUNT_STATES = [
  'PENDING',
  'PENDING_CONTRACT',
  'ACTIVE',
  'SUSPENDED',
  'MANUALLY_CLOSED',
  'CLOSED',
] as const;
export type CardAccountState = (typeof CARD_ACCOUNT_STATES)[number];

/** Why an authorisation was declined. */
export const CARD_DECLINE_REASONS = [
  'account_not_active',
  'card_not_active',
  'card_frozen',
  'card_blocked',
  'card_closed',
  'user_suspended',
  'insufficient_funds',
  'limit_onetime',
  'limit_daily',
  'limit_monthly',
  'too_many_transactions',
  'issuer_declined',
  'challenge_failed',
] as const;
export type CardDeclineReason = (typeof CARD_DECLINE_REASONS)[number];

/** An id of the issuer: of a transaction, or of a message about one. */
export const cardReference = z.string().regex(/^[A-Za-z0-9][\w.:/+=-]{0,127}$/);

const instant = z.iso.datetime();
/** Integers of the smallest unit, as text. */
const units = z.string().regex(/^\d+$/);
const signedUnits = z.string().regex(/^-?\d+$/);

const money = z.object({ amount: units, currency: z.string() });

/** So many units of the account's currency are so many of the smallest of the card's. */
const rate = z.object({ units, per: units });

/**
 * What a purchase costs: to the merchant, on the card, and with which rate to the account. A prepaid account has the card's
 * currency, and the rate 1 to 1.
 */
const amounts = z.object({ merchant: money, fiat: money, rate });
export type CardAmounts = z.output<typeof amounts>;

/** As the wire spells it; null where the issuer does not say. */
export const cardMerchant = z.object({
  cleanName: z.string().nullable(),
  dirtyName: z.string(),
  country: z.string().nullable(),
  logo: z.string().nullable(),
  logoUrl: z.string().nullable(),
  merchantId: z.string().nullable(),
  placeId: z.string().nullable(),
});
export type CardMerchant = z.output<typeof cardMerchant>;

const limits = z.object({ onetime: units, daily: units, monthly: units });
export type CardLimits = z.output<typeof limits>;

/** What has moved the money of an account. */
export const CARD_ENTRY_KINDS = [
  'authorised',
  'declined',
  'incremented',
  'reversed',
  'voided',
  'expired',
  'cleared',
  'refunded',
  'charged_back',
  'chargeback_reversed',
  'topped_up',
  'top_up_reversed',
  'card_fee',
  'card_fee_returned',
  'transfer_sent',
  'transfer_received',
] as const;

/** One message of a transaction. The entries of a transaction are a set: what they come to does not depend on their order. */
export const cardEntry = z.object({
  /** Of the issuer's webhook, or of what else was recorded once. */
  id: z.string(),
  kind: z.enum(CARD_ENTRY_KINDS),
  at: instant,
  /** In the smallest unit of the card's currency: what the hold grows or shrinks by. `0` where there is nothing to hold. */
  fiat: units,
  /** Of the hold; null where the entry says no rate. */
  rate: rate.nullable(),
  /** What it adds to the posted balance, in units of the account. */
  posted: signedUnits,
  /** The last clearing, or all of the purchase given back: nothing is held any more. */
  final: z.boolean(),
  /** What the instance earns with a clearing, in the smallest unit of the card's currency; null where nothing. */
  interchange: units.nullable(),
  /** What was cleared, in the smallest unit of the card's currency. Absent in entries that were written before it was recorded: it is `fiat`. */
  gross: units.optional(),
  /** Of one that was declined. */
  reason: z.enum(CARD_DECLINE_REASONS).nullable(),
});
export type CardEntry = z.output<typeof cardEntry>;

/** The amounts that were spent in the day and in the month of the account's time zone, by authorisations. */
const balance = z.object({
  posted: signedUnits,
  held: units,
  /** `2026-11-23` and `2026-11`; empty before the first authorisation. */
  day: z.string(),
  daySpent: units,
  month: z.string(),
  monthSpent: units,
});
export type CardBalance = z.output<typeof balance>;

/** Of an account on which nothing has moved. */
export const NO_BALANCE: CardBalance = {
  posted: '0',
  held: '0',
  day: '',
  daySpent: '0',
  month: '',
  monthSpent: '0',
};

const account = {
  accountId: z.string(),
  network: z.enum(TON_NETWORKS),
  userId: z.string(),
  at: instant,
};

/** Every movement: the entry, what it belongs to, and the balance with it. */
const movement = {
  ...account,
  /** Of the issuer; of a top-up the transaction on chain. */
  transactionId: cardReference,
  cardId: z.string().nullable(),
  entry: cardEntry,
  /** Those of the transaction that the state of the stream has no more. */
  earlier: z.array(cardEntry),
  balance,
};
const purchase = z.object({ ...movement, amounts, merchant: cardMerchant.nullable() });

/** `amount × per + rounding = fiat × units` of the rate: nothing is lost in a conversion. */
const posting = z.object({
  ...purchase.shape,
  rounding: signedUnits,
});

/** What the instance earns with a clearing, in the smallest unit of the card's currency. */
const fee = z.object({
  /** Of the clearing. */
  entryId: z.string(),
  amount: units,
  /** What was cleared. */
  gross: units,
  currency: z.string(),
  at: instant,
});
export type CardFee = z.output<typeof fee>;

/** As on chain: a transfer that has arrived. */
const chainTransaction = z.object({
  account: accountRef,
  hash: z.string(),
  /** Logical time on TON, slot on Solana; null where it is not known. */
  lt: z.string().nullable(),
});

// These types are the storage format.
const opened = eventType({
  name: 'CardAccountOpened',
  schema: z.object({
    ...account,
    kind: z.enum(['crypto', 'vesting', 'prepaid']),
    accountIndex: z.int().min(0),
    name: z.string().nullable(),
    /** The wallet of the user that it belongs to. */
    owner: accountRef,
    /** Where it is topped up on chain; null of a prepaid account. */
    deposit: accountRef.nullable(),
    /** `tokenContract` null of native coins and of a prepaid account. */
    currency: z.object({
      ticker: z.string(),
      decimals: z.int().min(0).max(18),
      tokenContract: z.string().nullable(),
    }),
    /** Of its cards. */
    fiatCurrency: z.string(),
    /** Minutes east of UTC, for the windows of the limits. */
    tzOffset: z.int(),
    limits,
    state: z.enum(CARD_ACCOUNT_STATES),
    /** Nothing of it is real. */
    sandbox: z.boolean(),
  }),
});
const stateChanged = eventType({
  name: 'CardAccountStateChanged',
  schema: z.object({
    ...account,
    from: z.enum(CARD_ACCOUNT_STATES),
    to: z.enum(CARD_ACCOUNT_STATES),
    by: z.enum(['holder', 'operator', 'issuer', 'program']),
  }),
});
/** Lower limits hold at once, higher ones after a grace period. */
const limitsChanged = eventType({
  name: 'CardAccountLimitsChanged',
  schema: z.object({
    ...account,
    limits,
    /** From when on. */
    effectiveAt: instant,
    by: z.enum(['holder', 'operator', 'issuer']),
  }),
});
const toppedUp = eventType({
  name: 'CardAccountToppedUp',
  schema: z.object({ ...movement, amount: units, chain: chainTransaction }),
});
/** A fork has taken the transfer back. */
const topUpReversed = eventType({
  name: 'CardAccountTopUpReversed',
  schema: z.object({ ...movement, amount: units, chain: chainTransaction }),
});
/** What a card costs. */
const feeCharged = eventType({ name: 'CardFeeCharged', schema: z.object({ ...movement, amount: units }) });
/** The card was never issued. */
const feeReturned = eventType({ name: 'CardFeeReturned', schema: z.object({ ...movement, amount: units }) });

const side = z.object({
  accountId: z.string(),
  /** Of a prepaid card. */
  cardId: z.string().nullable(),
  amount: units,
  currency: z.string(),
});
/** Between an account and that of a prepaid card of the same holder. `rate`: as of a purchase. */
export const cardTransfer = z.object({ from: side, to: side, rate });
export type CardTransfer = z.output<typeof cardTransfer>;

/** It is received on the other side next, whatever happens. */
const transferSent = eventType({
  name: 'CardTransferSent',
  schema: z.object({ ...movement, ...cardTransfer.shape }),
});
const transferReceived = eventType({
  name: 'CardTransferReceived',
  schema: z.object({ ...movement, ...cardTransfer.shape }),
});

/**
 * By so much more, or less where negative, is held and cleared of the purchase in all, in the smallest unit of the card's currency: what
 * its holder is shown of this message, so that what is shown is what was spent, in whatever order the messages arrive.
 */
const charged = signedUnits;
/** `charged` since the second version. The first had `isReleased` where the purchase had been voided, or had expired, before. */
const held = (sign: 1n | -1n) => ({
  version: 2,
  schema: z.object({ ...purchase.shape, charged }),
  upcasts: {
    1({ isReleased, ...data }: JsonObject) {
      const { fiat } = data['entry'] as { fiat: string };
      return { ...data, charged: isReleased === true ? '0' : (sign * BigInt(fiat)).toString() };
    },
  },
});
const authorised = eventType({ name: 'CardPurchaseAuthorised', ...held(1n) });
/** Nothing is held. */
const declined = eventType({
  name: 'CardPurchaseDeclined',
  schema: z.object({
    ...purchase.shape,
    /** What it would have held, in units of the account. */
    amount: units,
    reason: z.enum(CARD_DECLINE_REASONS),
  }),
});
const incremented = eventType({ name: 'CardPurchaseIncremented', ...held(1n) });
/** A part of what is held is given back. */
const reversed = eventType({ name: 'CardPurchaseReversed', ...held(-1n) });
/** `released`, since the second version: what was held until then, with what is held as that of the merchant; null for nothing. */
const ended = {
  version: 2,
  schema: z.object({ ...movement, released: amounts.nullable() }),
  upcasts: { 1: (data: JsonObject) => ({ ...data, released: null }) },
};
/** All of it is, whatever still arrives of it: a reversal without an amount. */
const voided = eventType({ name: 'CardPurchaseVoided', ...ended });
const expired = eventType({ name: 'CardPurchaseExpired', ...ended });
/**
 * One without an authorisation, or after that was voided or has expired, is a force post. `charged` since the second version: of the first
 * holders are shown force posts alone.
 */
const cleared = eventType({
  name: 'CardPurchaseCleared',
  version: 2,
  upcasts: {
    1(data: JsonObject) {
      const { fiat } = data['amounts'] as z.output<typeof amounts>;
      return { ...data, charged: data['forced'] === true ? fiat.amount : '0' };
    },
  },
  schema: z.object({
    ...posting.shape,
    charged,
    forced: z.boolean(),
    /** What the instance earns with it; null where nothing, and when the purchase was given back before. */
    earned: fee.nullable(),
  }),
});
const givenBack = z.object({
  ...posting.shape,
  /** All of the purchase: what the instance has earned with it falls away. */
  full: z.boolean(),
  reversedFees: z.array(fee),
});
const refunded = eventType({ name: 'CardPurchaseRefunded', schema: givenBack });
const chargedBack = eventType({ name: 'CardPurchaseChargedBack', schema: givenBack });
/** The merchant has won. */
const chargebackReversed = eventType({ name: 'CardChargebackReversed', schema: posting });

/** The transactions that may still change, by their ids. */
const transactions = z.record(
  z.string(),
  z.object({ cardId: z.string().nullable(), changedAt: instant, entries: z.array(cardEntry) }),
);

/** The whole state, from time to time: a decision needs no event before it. */
const carriedForward = eventType({
  name: 'CardAccountCarriedForward',
  schema: z.object({
    ...account,
    kind: z.enum(['crypto', 'vesting', 'prepaid']),
    state: z.enum(CARD_ACCOUNT_STATES),
    tzOffset: z.int(),
    fiatCurrency: z.string(),
    limits,
    nextLimits: z.object({ limits, effectiveAt: instant }).nullable(),
    balance,
    transactions,
  }),
});
/** They have not changed for long and are in streams of their own, from which they are read should anything still arrive. */
const archived = eventType({
  name: 'CardTransactionsArchived',
  schema: z.object({ ...account, transactionIds: z.array(z.string()) }),
});

export const cardAccountEvents = eventFamily(
  opened,
  stateChanged,
  limitsChanged,
  toppedUp,
  topUpReversed,
  feeCharged,
  feeReturned,
  transferSent,
  transferReceived,
  authorised,
  declined,
  incremented,
  reversed,
  voided,
  expired,
  cleared,
  refunded,
  chargedBack,
  chargebackReversed,
  carriedForward,
  archived,
);
export type CardAccountEvent = EventOf<
  | typeof opened
  | typeof stateChanged
  | typeof limitsChanged
  | typeof toppedUp
  | typeof topUpReversed
  | typeof feeCharged
  | typeof feeReturned
  | typeof transferSent
  | typeof transferReceived
  | typeof authorised
  | typeof declined
  | typeof incremented
  | typeof reversed
  | typeof voided
  | typeof expired
  | typeof cleared
  | typeof refunded
  | typeof chargedBack
  | typeof chargebackReversed
  | typeof carriedForward
  | typeof archived
>;
