import { v5 } from 'uuid';
import { z } from 'zod';
import type { JsonObject } from '../json/json';
import { TON_NETWORKS } from '../network/network';
import { encryptedText } from '../text/personal-text';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of cards, one stream per card. */
export const CARD_CATEGORY = 'card';

export function cardStream(cardId: string): string {
  return `${CARD_CATEGORY}-${cardId}`;
}

const NAMESPACE = 'e2f1a0b3-5c4d-5e6f-8a7b-9c0d1e2f3a4b';

/** A UUIDv5: who orders again with the same key orders the same card. */
export function cardIdOf(accountId: string, key: string): string {
  return v5(`${accountId}/${key}`, NAMESPACE);
}

/** As the wire spells them. */
export const CARD_SCHEMAS = ['visa', 'mc'] as const;
export const CARD_TYPES = ['DEBIT', 'PREPAID'] as const;
export const CARD_DESIGNS = ['BLACK_WAVES', 'DOGS'] as const;
export const CARD_DELIVERY_STATES = [
  'PENDING',
  'ORDERED',
  'PERSONALIZED',
  'DISPATCHED',
  'DELIVERED',
] as const;
export type CardDeliveryState = (typeof CARD_DELIVERY_STATES)[number];

const CHANGED_BY = ['holder', 'operator', 'issuer'] as const;
export type CardChangedBy = (typeof CHANGED_BY)[number];

const card = {
  cardId: z.string(),
  accountId: z.string(),
  network: z.enum(TON_NETWORKS),
  userId: z.string(),
  at: z.iso.datetime(),
};
const changed = {
  ...card,
  by: z.enum(CHANGED_BY),
  reason: z.string(),
  /** By the clock of who has changed it: messages of the issuer arrive in any order. */
  occurredAt: z.iso.datetime(),
};

/** Integers of the smallest unit of the account's currency, as text. */
const units = z.string().regex(/^\d+$/);

// These types are the storage format.
const ordered = eventType({
  name: 'CardOrdered',
  schema: z.object({
    ...card,
    type: z.enum(CARD_TYPES),
    schema: z.enum(CARD_SCHEMAS),
    design: z.enum(CARD_DESIGNS).nullable(),
    fiatCurrency: z.string(),
    productId: z.string(),
    personalizationCode: z.string(),
    /** What the card costs: nothing is asked of the issuer before it is paid. */
    fee: units,
    /** Of a plastic card: country, and address, telephone and method as JSON, encrypted for the user. */
    delivery: z.object({ countryCode: z.string(), details: encryptedText }).nullable(),
    /** The card that this one is in place of. */
    replaces: z.string().nullable(),
    sandbox: z.boolean(),
  }),
});
const paid = eventType({ name: 'CardPaid', schema: z.object({ ...card, amount: units }) });
/** The issuer is to be asked for it. */
const issuingAsked = eventType({ name: 'CardIssuingAsked', schema: z.object(card) });
const issued = eventType({
  name: 'CardIssued',
  schema: z.object({
    ...card,
    /** Of the issuer. */
    issuerCardId: z.string(),
    lastFourDigits: z.string().regex(/^\d{4}$/),
  }),
});
const issuingFailed = eventType({
  name: 'CardIssuingFailed',
  schema: z.object({ ...card, reason: z.string() }),
});
const deliveryMoved = eventType({
  name: 'CardDeliveryMoved',
  schema: z.object({ ...card, status: z.enum(CARD_DELIVERY_STATES), trackNumber: z.string().nullable() }),
});
/** `occurredAt`, by the clock of the issuer, only since the second version. */
const sinceItIsCompared = {
  version: 2,
  upcasts: { 1: (data: JsonObject) => ({ ...data, occurredAt: data['at']! }) },
};
/** The issuer wants the holder or the card checked. */
const verificationAsked = eventType({
  name: 'CardVerificationAsked',
  ...sinceItIsCompared,
  schema: z.object({ ...card, of: z.enum(['client', 'card']), occurredAt: z.iso.datetime() }),
});
const verified = eventType({
  name: 'CardVerified',
  ...sinceItIsCompared,
  schema: z.object({ ...card, occurredAt: z.iso.datetime() }),
});
/** From here on nothing is authorised. The issuer is to be told. */
const freezeAsked = eventType({ name: 'CardFreezeAsked', schema: z.object(changed) });
const frozen = eventType({ name: 'CardFrozen', schema: z.object(changed) });
const unfreezeAsked = eventType({ name: 'CardUnfreezeAsked', schema: z.object(changed) });
const unfrozen = eventType({ name: 'CardUnfrozen', schema: z.object(changed) });
const blockAsked = eventType({ name: 'CardBlockAsked', schema: z.object(changed) });
/** There is no way back. */
const blocked = eventType({ name: 'CardBlocked', schema: z.object(changed) });
const closed = eventType({ name: 'CardClosed', schema: z.object(changed) });
/** The issuer does not do what it was asked for: the card is as it was before. */
const changeRefused = eventType({
  name: 'CardChangeRefused',
  schema: z.object({
    ...card,
    asked: z.enum(['freeze', 'unfreeze', 'block']),
    to: z.enum(['active', 'frozen']),
    reason: z.string(),
  }),
});
const replaced = eventType({ name: 'CardReplaced', schema: z.object({ ...card, replacedBy: z.string() }) });

export const cardEvents = eventFamily(
  ordered,
  paid,
  issuingAsked,
  issued,
  issuingFailed,
  deliveryMoved,
  verificationAsked,
  verified,
  freezeAsked,
  frozen,
  unfreezeAsked,
  unfrozen,
  blockAsked,
  blocked,
  closed,
  changeRefused,
  replaced,
);
export type CardEvent = EventOf<
  | typeof ordered
  | typeof paid
  | typeof issuingAsked
  | typeof issued
  | typeof issuingFailed
  | typeof deliveryMoved
  | typeof verificationAsked
  | typeof verified
  | typeof freezeAsked
  | typeof frozen
  | typeof unfreezeAsked
  | typeof unfrozen
  | typeof blockAsked
  | typeof blocked
  | typeof closed
  | typeof changeRefused
  | typeof replaced
>;
