import { z } from 'zod';
import { canonicalDecimal } from '../../../../contracts/decimal';
import type {
  PartnerCurrency,
  PartnerLimits,
  PartnerOrder,
} from '../../../../contracts/ports/exchange-partner';
import { walletTicker } from './tickers';

const text = z.string().max(1_000);
const ticker = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,32}$/)
  .transform(walletTicker);

/** Text, in a few places a number; without needless zeros. */
const decimal = z.union([z.string(), z.number()]).transform((given, context): string => {
  const canonical = canonicalDecimal(String(given));
  if (canonical !== null) return canonical;
  context.addIssue({ code: 'custom', message: 'not a decimal' });
  return z.NEVER;
});

/** Null where nothing, or an empty text, is given. */
const optional = <Schema extends z.ZodType<unknown, unknown>>(schema: Schema) =>
  z.preprocess(given => (given === '' || given === undefined ? null : given), schema.nullable());

/** Of what has not happened yet the partner says 0. */
const optionalAmount = optional(decimal).transform(given => (given === '0' ? null : given));

export const currency = z
  .object({
    ticker,
    name: text.min(1),
    fullName: text.min(1),
    enabled: z.boolean(),
    enabledFrom: z.boolean().default(true),
    image: text.nullish(),
    blockchain: text.nullish(),
    network: text.nullish(),
    protocol: text.nullish(),
    contractAddress: text.nullish(),
    extraIdName: text.nullish(),
    blockchainPrecision: z.int().min(0).max(40).nullish(),
  })
  .transform((given): PartnerCurrency => ({
    ticker: given.ticker,
    name: given.name,
    fullName: given.fullName,
    image: given.image ?? '',
    enabled: given.enabled && given.enabledFrom,
    decimals: given.blockchainPrecision ?? UNKNOWN_DECIMALS,
    blockchain: given.blockchain || null,
    network: given.network || given.protocol || null,
    contractAddress: given.contractAddress || null,
    extraIdName: given.extraIdName || null,
  }));

/** As many as any currency has: the partner refuses what is too many. */
const UNKNOWN_DECIMALS = 18;

export const estimates = z
  .array(
    z.object({
      from: ticker,
      to: ticker,
      amountFrom: decimal,
      amountTo: decimal,
      networkFee: decimal,
      rate: decimal,
      fee: decimal,
      visibleAmount: decimal,
      minFrom: decimal,
      maxFrom: decimal,
      minTo: decimal,
      maxTo: decimal,
    }),
  )
  .length(1);

/** The answer to `getPairsParams`. */
export const pairLimits = z
  .array(z.object({ minAmountFloat: decimal, maxAmountFloat: optional(decimal) }))
  .length(1)
  .transform(([given]): PartnerLimits => ({
    minFrom: given!.minAmountFloat,
    maxFrom: given!.maxAmountFloat,
    minTo: null,
    maxTo: null,
  }));

const bound = z.object({ from: decimal, to: optional(decimal) });

/** Of an error, where it says what the limits are. */
export const limitsInError = z
  .object({ limits: z.object({ min: bound, max: bound.nullish() }) })
  .transform(({ limits: { min, max } }): PartnerLimits => ({
    minFrom: min.from,
    maxFrom: max?.from ?? null,
    minTo: min.to,
    maxTo: max?.to ?? null,
  }));

/** The answer to `getPairs`. */
export const pairs = z.array(z.object({ from: ticker, to: ticker }));

const MICROSECONDS = 1_000;

/** Microseconds since the epoch, and RFC 3339 in the answer. */
const instant = z.coerce
  .number()
  .min(1e15)
  .max(4e15)
  .transform(micros => new Date(Math.floor(micros / MICROSECONDS)).toISOString());

export const order = z
  .object({
    id: text.min(1),
    status: text.min(1),
    createdAt: instant,
    payTill: z.iso.datetime({ offset: true }).nullish().catch(null),
    currencyFrom: ticker,
    currencyTo: ticker,
    payinAddress: text.min(1),
    payinExtraId: optional(text),
    payoutAddress: text.min(1),
    refundAddress: optional(text),
    amountExpectedFrom: decimal,
    amountExpectedTo: decimal,
    amountFrom: optionalAmount,
    amountTo: optionalAmount,
    networkFee: optional(decimal),
    rate: optional(decimal),
    payinHash: optional(text),
    payoutHash: optional(text),
    refundHash: optional(text),
    changellyFee: optional(decimal),
    apiExtraFee: optional(decimal),
    totalFee: optional(decimal),
    trackUrl: optional(text),
  })
  .transform(({ currencyFrom, currencyTo, payTill, ...given }): PartnerOrder => ({
    ...given,
    from: currencyFrom,
    to: currencyTo,
    payTill: payTill ? new Date(payTill).toISOString() : null,
  }));

export const orders = z.array(order);

export interface Readable<T> {
  readonly items: readonly T[];
  /** Items that are not as they should be. */
  readonly unreadable: number;
}

/**
 * The items of a list that can be read: one that is malformed must not hide the others.
 * @throws ZodError when it is no list, or none of it can be read
 */
export function readableItems<T>(answer: unknown, schema: z.ZodType<T>): Readable<T> {
  const given = z.array(z.unknown()).max(MAX_ITEMS).parse(answer);
  const items = given.flatMap(each => {
    const parsed = schema.safeParse(each);
    return parsed.success ? [parsed.data] : [];
  });
  if (items.length === 0 && given.length > 0) schema.parse(given[0]);
  return { items, unreadable: given.length - items.length };
}

const MAX_ITEMS = 5_000;
