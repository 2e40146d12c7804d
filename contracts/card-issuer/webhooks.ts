import { z } from 'zod';
import { CARD_DELIVERY_STATES } from '../events/card';
import { cardReference } from '../events/card-account';
import { CARD_CHALLENGE_OUTCOMES } from '../events/card-challenge';
import { KYC_RESULTS } from '../events/card-user';
import { kycProfile } from '../http/card/user';

// What the issuer says by webhooks. It names users and cards by our ids.

/** An integer of the smallest unit of the currency, whatever its number of decimals. */
const amount = z.string().regex(/^(0|[1-9]\d{0,29})$/);
export const positiveUnits = z.string().regex(/^[1-9]\d{0,29}$/);
/** ISO 4217. */
const money = z.object({ amount, currency: z.string().regex(/^[A-Z]{3}$/) });

const instant = z.iso.datetime();
/** A merchant's own words; null where it is not said. */
const words = z.string().max(500).nullable().default(null);

export const issuerMerchant = z.object({
  dirtyName: z.string().max(500),
  cleanName: words,
  country: words,
  logo: words,
  logoUrl: words,
  merchantId: words,
  placeId: words,
});

const about = { cardId: cardReference, occurredAt: instant };
const purchase = {
  ...about,
  transactionId: cardReference,
  /** What the merchant asks for. */
  merchantAmount: money,
  /** The same in the currency of the card. */
  cardAmount: money,
  /** So many units of the account's currency are so many of the smallest of the card's. */
  rate: z.object({ units: positiveUnits, per: positiveUnits }),
  merchant: issuerMerchant.nullable().default(null),
};
const purchaseId = cardReference.nullable().default(null);

const authorisationRequested = z.object({
  type: z.literal('authorisation.requested'),
  data: z.object(purchase),
});
const incrementRequested = z.object({ type: z.literal('increment.requested'), data: z.object(purchase) });
/** The issuer has decided itself, as the answer was late, or none. `requestId`: the webhook that it had asked with. */
const authorisationDecided = z.object({
  type: z.literal('authorisation.decided'),
  data: z.object({ ...purchase, requestId: cardReference, approved: z.boolean() }),
});
const incrementDecided = z.object({
  type: z.literal('increment.decided'),
  data: z.object({ ...purchase, requestId: cardReference, approved: z.boolean() }),
});
const reversed = z.object({ type: z.literal('authorisation.reversed'), data: z.object(purchase) });
/** All of it, whatever it was. */
const voided = z.object({
  type: z.literal('authorisation.voided'),
  data: z.object({ ...about, transactionId: cardReference }),
});
const expired = z.object({
  type: z.literal('authorisation.expired'),
  data: z.object({ ...about, transactionId: cardReference }),
});
const cleared = z.object({
  type: z.literal('purchase.cleared'),
  data: z.object({
    ...purchase,
    /** What of the authorisation it clears, in the currency of the card. */
    ofAuthorisation: amount,
    /** Nothing more of the purchase is cleared. */
    final: z.boolean(),
    /** Nothing was authorised. */
    forced: z.boolean(),
    /** What the instance earns with it, in the currency of the card. */
    interchange: amount.nullable().default(null),
  }),
});
const refunded = z.object({
  type: z.literal('purchase.refunded'),
  data: z.object({ ...purchase, purchaseId, full: z.boolean() }),
});
const chargedBack = z.object({
  type: z.literal('purchase.charged_back'),
  data: z.object({ ...purchase, purchaseId, full: z.boolean() }),
});
const chargebackReversed = z.object({
  type: z.literal('chargeback.reversed'),
  data: z.object({ ...purchase, purchaseId }),
});

/** Codes of at most eight letters or digits. */
const code = z.string().regex(/^[0-9A-Za-z]{4,8}$/);
const asked = { ...about, challengeId: cardReference, expiresAt: instant };
const bought = { amount: money, merchant: issuerMerchant.nullable().default(null) };
/** 3-D Secure, or what activates a card in a wallet. */
const challengeRequested = z.object({
  type: z.literal('challenge.requested'),
  data: z.discriminatedUnion('kind', [
    z.object({ ...asked, ...bought, kind: z.literal('confirmation_request') }),
    z.object({ ...asked, ...bought, kind: z.literal('otp_code'), code }),
    z.object({ ...asked, kind: z.literal('activation_code'), code }),
  ]),
});
const challengeEnded = z.object({
  type: z.literal('challenge.ended'),
  data: z.object({
    ...about,
    challengeId: cardReference,
    outcome: z.enum(CARD_CHALLENGE_OUTCOMES),
  }),
});

const kycDecided = z.object({
  type: z.literal('kyc.decided'),
  data: z.object({
    userId: cardReference,
    result: z.enum(KYC_RESULTS),
    decidedAt: instant,
    profile: kycProfile.nullable().default(null),
  }),
});
const cardIssued = z.object({
  type: z.literal('card.issued'),
  data: z.object({ ...about, issuerCardId: cardReference, lastFourDigits: z.string().regex(/^\d{4}$/) }),
});
const cardNotIssued = z.object({
  type: z.literal('card.not_issued'),
  data: z.object({ ...about, reason: z.string().min(1).max(500) }),
});
const cardShipped = z.object({
  type: z.literal('card.shipment'),
  data: z.object({
    ...about,
    status: z.enum(CARD_DELIVERY_STATES),
    trackNumber: z.string().max(100).nullable().default(null),
  }),
});
/** What it has done because it was asked, or of itself. */
const cardChanged = z.object({
  type: z.literal('card.changed'),
  data: z.object({
    ...about,
    to: z.enum(['frozen', 'unfrozen', 'blocked', 'closed']),
    reason: z.string().max(500).default(''),
  }),
});
/** Another one is to take its place: the issuer is asked for it, as for each card. */
const cardReplaced = z.object({ type: z.literal('card.replaced'), data: z.object(about) });
const verificationChanged = z.object({
  type: z.literal('card.verification'),
  data: z.object({ ...about, of: z.enum(['client', 'card']).nullable() }),
});

export const issuerWebhook = z.discriminatedUnion('type', [
  authorisationRequested,
  incrementRequested,
  authorisationDecided,
  incrementDecided,
  reversed,
  voided,
  expired,
  cleared,
  refunded,
  chargedBack,
  chargebackReversed,
  challengeRequested,
  challengeEnded,
  kycDecided,
  cardIssued,
  cardNotIssued,
  cardShipped,
  cardChanged,
  cardReplaced,
  verificationChanged,
]);
export type IssuerWebhook = z.output<typeof issuerWebhook>;
export type IssuerWebhookOf<Type extends IssuerWebhook['type']> = Extract<
  IssuerWebhook,
  { readonly type: Type }
>;
/** As the issuer writes it. */
export type IssuerWebhookInput = z.input<typeof issuerWebhook>;

export const ISSUER_WEBHOOK_TYPES: readonly string[] = issuerWebhook.options.map(
  option => option.shape.type.value,
);
