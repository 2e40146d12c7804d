import { z } from 'zod';
import { CARD_DESIGNS, CARD_SCHEMAS, CARD_TYPES } from '../events/card';
import { TON_NETWORKS } from '../network/network';
import { positiveUnits } from './webhooks';
import { CARD_USES, ISSUER_REFUSALS } from './issuer';

// How the calls of the port go over HTTP: to the double, or to a gateway of an issuer. All are POST, JSON, and have
// `Authorization: Bearer <key>`; a refusal is a 422 `{reason}`. Whatever else is not 200 may be repeated.

export const CARD_ISSUER_PATHS = {
  kyc: '/kyc',
  issue: '/cards',
  change: '/cards/change',
  challenge: '/challenges/answer',
  apple: '/provisioning/apple',
  google: '/provisioning/google',
  rate: '/rates',
} as const;
export type CardIssuerCallName = keyof typeof CARD_ISSUER_PATHS;

const cardId = z.string();
const accountCurrency = z.object({ ticker: z.string(), decimals: z.int() });

export const CARD_ISSUER_REQUESTS = {
  kyc: z.object({ userId: z.string(), network: z.enum(TON_NETWORKS) }),
  issue: z.object({
    cardId,
    accountId: z.string(),
    userId: z.string(),
    network: z.enum(TON_NETWORKS),
    type: z.enum(CARD_TYPES),
    schema: z.enum(CARD_SCHEMAS),
    design: z.enum(CARD_DESIGNS).nullable(),
    productId: z.string(),
    personalizationCode: z.string(),
    fiatCurrency: z.string(),
    accountCurrency,
    replaces: z.string().nullable(),
    delivery: z.object({ countryCode: z.string(), details: z.string().nullable() }).nullable(),
  }),
  change: z.object({ cardId, use: z.enum(CARD_USES), number: z.int() }),
  challenge: z.object({ challengeId: z.string(), isConfirmed: z.boolean() }),
  apple: z.object({
    cardId,
    certificates: z.array(z.string()),
    nonce: z.string(),
    nonceSignature: z.string(),
  }),
  google: z.object({ cardId, walletAccountId: z.string(), deviceId: z.string() }),
  rate: z.object({ accountCurrency, fiatCurrency: z.string() }),
} satisfies Record<CardIssuerCallName, z.ZodType>;

const done = z.object({ ok: z.literal(true) });
const base64 = z.base64().max(65_536);

export const CARD_ISSUER_RESPONSES = {
  kyc: done,
  issue: done,
  change: done,
  challenge: done,
  apple: z.object({ encryptedData: base64, activationData: base64, ephemeralPublicKey: base64 }),
  google: z.object({ encryptedData: base64 }),
  rate: z.object({ units: positiveUnits, per: positiveUnits }),
} satisfies Record<CardIssuerCallName, z.ZodType>;

export const cardIssuerRefusal = z.object({ reason: z.enum(ISSUER_REFUSALS).catch('other') });
