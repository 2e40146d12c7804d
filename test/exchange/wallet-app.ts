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

export const appDetails = z.object({ ok: z.literal(true), data: order });
export const appList = z.object({ ok: z.literal(true), data: z.array(order) });
