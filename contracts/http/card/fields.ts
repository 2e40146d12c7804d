import { z } from 'zod';
import { CARD_DELIVERY_STATES, CARD_DESIGNS, CARD_SCHEMAS } from '../../events/card';
import { CARD_ACCOUNT_STATES } from '../../events/card-account';

// Wallets reject a whole list for one value that they do not know: everything here is closed, and what may be absent is never null.

/** Those of the wallet application; not all of them are of this program. */
export const CARD_STATUSES = [
  'PENDING_BLOCK',
  'PENDING_FREEZE',
  'PENDING_UNFREEZE',
  'PENDING_FOR_PAYMENT',
  'PENDING_CARD',
  'PENDING_CARD_ISSUE',
  'PENDING_CONTRACT',
  'WAITING_FOR_PAYMENT',
  'ACTIVE',
  'BLOCKED',
  'FROZEN',
  'CLOSED',
  'CLIENT_VERIFICATION',
  'CARD_VERIFICATION',
] as const;
export type CardStatus = (typeof CARD_STATUSES)[number];

/** An integer of the smallest unit; wallets read it as a BigInt. */
export const cardUnits = z.string().regex(/^-?\d+$/);
/** As a holder gives one. */
export const givenPhone = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, 'must be a number of E.164, such as +4930123456');
export function givenText(max: number) {
  return z
    .string()
    .min(1)
    .max(max)
    .regex(/^[^\p{C}]+$/u, 'must be visible text');
}
/** In whole units, at most 9 decimals: `12.50`. */
const fiatBalance = z.string().regex(/^-?\d+(\.\d{1,9})?$/);
const instant = z.iso.datetime();

const delivery = z.strictObject({
  id: z.string(),
  status: z.enum(CARD_DELIVERY_STATES),
  countryCode: z.string(),
  address: z.string(),
  phone: z.string(),
  email: z.string(),
  deliveryMethod: z.string(),
  postalCode: z.string().optional(),
  apartment: z.string().optional(),
  floor: z.string().optional(),
  trackNumber: z.string().optional(),
});
export type CardDeliveryView = z.output<typeof delivery>;

const card = {
  id: z.string(),
  status: z.enum(CARD_STATUSES),
  fiatCurrency: z.string(),
  productId: z.string(),
  personalizationCode: z.string(),
  schema: z.enum(CARD_SCHEMAS),
  createdAt: instant,
  updatedAt: instant,
  lastFourDigits: z
    .string()
    .regex(/^\d{4}$/)
    .optional(),
  delivery: delivery.optional(),
  provider: z.string().optional(),
  kind: z.enum(['virtual', 'plastic']).optional(),
  design: z.enum(CARD_DESIGNS).optional(),
};
export const debitCard = z.strictObject({ ...card, type: z.literal('DEBIT') });
export type DebitCardView = z.output<typeof debitCard>;
/** A card with money of its own: it is in no account of the list. */
export const prepaidCard = z.strictObject({ ...card, type: z.literal('PREPAID'), fiatBalance });
export type PrepaidCardView = z.output<typeof prepaidCard>;
export const cardView = z.discriminatedUnion('type', [debitCard, prepaidCard]);
export type CardView = z.output<typeof cardView>;

const account = {
  id: z.string(),
  accountIndex: z.number().int(),
  seed: z.null(),
  contract: z.string(),
  ownerAddress: z.string(),
  state: z.enum(CARD_ACCOUNT_STATES),
  balance: cardUnits,
  network: z.enum(['ton-mainnet', 'ton-testnet', 'solana']),
  cryptoCurrency: z.strictObject({
    decimals: z.number().int(),
    ticker: z.string(),
    tokenContract: z.string().optional(),
  }),
  createdAt: instant,
  address: z.string().optional(),
  name: z.string().optional(),
  contractAddress: z.string().optional(),
  hasBeenDepositedOnce: z.boolean(),
};

/** What its creator has deposited is paid out to the beneficiary, an amount each time that a period ends. */
export const cardVestingView = z.strictObject({
  ...account,
  type: z.literal('vesting'),
  beneficiaryAddress: z.string(),
  beneficiaryCryptoAccountId: z.string(),
  beneficiaryName: z.string(),
  creatorAccountId: z.string(),
  totalDeposited: cardUnits,
  totalPaidOut: cardUnits,
  unlockAmountPerPeriod: cardUnits,
  unlockPeriodSeconds: z.string().regex(/^\d+$/),
  estimatedPayoutsRemaining: z.number().int(),
  nextPayoutAt: instant.nullable(),
  startPaymentsAt: instant,
  cards: z.array(z.never()),
});
export type CardVestingView = z.output<typeof cardVestingView>;

export const cardAccountView = z.strictObject({
  ...account,
  type: z.literal('crypto'),
  tzOffset: z.number().int(),
  prepaidOnly: z.boolean(),
  partner: z.string(),
  isLatestContract: z.boolean(),
  totalDebtCryptoAmountNano: cardUnits,
  brand: z.enum(['HOLDERS', 'HOLDERS_STANDALONE', 'TONHUB', 'TONKEEPER', 'CARDBOT']),
  limits: z.strictObject({
    tzOffset: z.number().int(),
    dailyDeadline: z.number().meta({ description: 'Milliseconds since 1970' }),
    dailySpent: cardUnits,
    monthlyDeadline: z.number(),
    monthlySpent: cardUnits,
    monthly: cardUnits,
    daily: cardUnits,
    onetime: cardUnits,
  }),
  invoices: z.array(z.never()),
  vestingAccounts: z.array(cardVestingView).optional().meta({ description: 'Those that pay to it' }),
  cards: z.array(debitCard),
});
export type CardAccountView = z.output<typeof cardAccountView>;
