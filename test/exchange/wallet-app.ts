import { z } from 'zod';

/** What the public wallet app reads of the exchange, written from its facts and not from the contract. */
const status = z.enum([
  'new',
  'waiting',
  'confirming',
  'exchanging',
  'sending',
  'finished',
  'failed',
  'refunded',
  'hold',
  'expired',
  'overdue',
  'resolved',
]);

const text = z.string();
/** The key is there, also when nothing is known. */
const textOrNull = z.union([z.string(), z.null()]);

const order = z.object({
  id: text,
  status,
  description: textOrNull,
  fromCurrency: text,
  toCurrency: text,
  network: textOrNull,
  payinAddress: text,
  payoutAddress: text,
  amountFrom: textOrNull,
  amountTo: textOrNull,
  amountExpectedFrom: textOrNull,
  amountExpectedTo: textOrNull,
  exchangeRate: textOrNull,
  payinHash: textOrNull,
  payoutHash: textOrNull,
  networkFee: textOrNull,
  changellyFee: textOrNull,
  apiExtraFee: textOrNull,
  totalFee: textOrNull,
  error: textOrNull,
  createdAt: text,
  updatedAt: text,
  expiresAt: text,
});

const failure = z.object({ ok: z.literal(false), error: text, message: text });

export const appCreated = z.object({
  _id: text,
  id: text,
  status,
  fromCurrency: text,
  toCurrency: text,
  amountFrom: text,
  amountTo: text,
  amountExpectedFrom: text,
  amountExpectedTo: text,
  exchangeFee: text,
  rate: text,
  payinAddress: text,
  payoutAddress: text,
  networkFee: text,
  apiExtraFee: text,
  totalFee: text,
  refundAddress: text,
  indempotencyKey: text,
  wallet: text,
  createdAt: text,
  updatedAt: text,
  payinHash: textOrNull,
  payoutHash: textOrNull,
  changellyFee: textOrNull,
  error: textOrNull,
  requestParams: z.object({
    address: text,
    amount: text,
    from: text,
    id: text,
    refundAddress: text,
    to: text,
  }),
});

export const appDetails = z.object({ ok: z.literal(true), data: order });
export const appList = z.object({ ok: z.literal(true), data: z.array(order) });
export const appResolved = z.object({ ok: z.literal(true) });
export const appFailure = failure;
