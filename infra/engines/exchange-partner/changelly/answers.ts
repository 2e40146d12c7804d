import { z } from 'zod';
import { readDecimal } from '../../../../contracts/money/decimal';
import type {
  PartnerCurrency,
  PartnerLimits,
  PartnerOrder,
  PartnerOrderState,
} from '../../../../contracts/ports/exchange-partner';
import { walletTicker } from './tickers';

const text = z.string().max(1_000);
/** The partner writes some as numbers. */
const textOrNumber = z.union([text, z.number()]).transform(String);
const ticker = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,32}$/)
  .transform(walletTicker);

/** A fee may be negative: the partner has given something back. */
const signedDecimal = textOrNumber.transform((given, context): string => {
  const read = readDecimal(given);
  if (read !== null) return read;
  context.addIssue({ code: 'custom', message: 'not a decimal' });
  return z.NEVER;
});
const decimal = signedDecimal.refine(value => !value.startsWith('-'), 'a negative decimal');

/** Null where nothing, or an empty text, is given. */
const optional = <Schema extends z.ZodType<unknown, unknown>>(schema: Schema) =>
  z.preprocess(given => (isGiven(given) ? given : null), schema.nullable());

const isGiven = (given: unknown): boolean => given !== '' && given !== undefined && given !== null;

/** Null also where what is given cannot be read: the rest of the order can. */
const lenient = <Schema extends z.ZodType<unknown, unknown>>(schema: Schema) => optional(schema).catch(null);

/** Of what has not happened yet the partner says 0. */
const lenientAmount = lenient(decimal).transform(given => (given === '0' ? null : given));

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
      networkFee: signedDecimal,
      rate: decimal,
      fee: signedDecimal,
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

/** An item of the answer to `getPairs`. */
export const exchangePair = z.object({ from: ticker, to: ticker });

const MICROSECONDS = 1_000;

/** Microseconds since the epoch, and RFC 3339 in the answer. */
const instant = z.coerce
  .number()
  .min(1e15)
  .max(4e15)
  .transform(micros => new Date(Math.floor(micros / MICROSECONDS)).toISOString());

const progress = {
  amountFrom: lenientAmount,
  amountTo: lenientAmount,
  networkFee: lenient(signedDecimal),
  rate: lenient(decimal),
  payinHash: lenient(text),
  payoutHash: lenient(text),
  refundHash: lenient(text),
  changellyFee: lenient(signedDecimal),
  apiExtraFee: lenient(signedDecimal),
  totalFee: lenient(signedDecimal),
};

const id = textOrNumber.refine(given => given !== '', 'empty');

/** How far an order is: an item of the answer to `getTransactions`. */
export const orderState: z.ZodType<PartnerOrderState, unknown> = z.object({
  id,
  status: text.min(1),
  ...progress,
});

/** An order that is to be paid: the answer to `createTransaction`, and an item of that to `getTransactions`. */
export const order = z
  .object({
    id,
    status: text.min(1),
    createdAt: instant.catch(() => new Date().toISOString()),
    payTill: z.iso.datetime({ offset: true }).nullish().catch(null),
    currencyFrom: ticker,
    currencyTo: ticker,
    payinAddress: text.min(1),
    // A payment without it is lost, so that it is read or the order is not.
    payinExtraId: optional(textOrNumber),
    payoutAddress: text.min(1),
    refundAddress: lenient(text),
    amountExpectedFrom: decimal,
    amountExpectedTo: decimal,
    trackUrl: lenient(text),
    ...progress,
  })
  .transform(({ currencyFrom, currencyTo, payTill, ...given }): PartnerOrder => ({
    ...given,
    from: currencyFrom,
    to: currencyTo,
    payTill: payTill ? new Date(payTill).toISOString() : null,
  }));

/** Members of an order's progress that are given and cannot be read. */
export function unreadableMembers(given: unknown, read: PartnerOrderState): readonly string[] {
  const members = given as Readonly<Record<string, unknown>>;
  return (Object.keys(progress) as (keyof typeof progress)[]).filter(
    name => read[name] === null && isGiven(members[name]) && Number(members[name]) !== 0,
  );
}

export interface Readable<T> {
  readonly items: readonly T[];
  /** As they were given, in the order of `items`. */
  readonly given: readonly unknown[];
  /** Why the others cannot be read. */
  readonly errors: readonly z.ZodError[];
}

/**
 * The items of a list that can be read: one that is malformed must not hide the others.
 * @throws ZodError when it is no list
 */
export function readableItems<T>(answer: unknown, schema: z.ZodType<T>): Readable<T> {
  const items: T[] = [];
  const given: unknown[] = [];
  const errors: z.ZodError[] = [];
  for (const each of z.array(z.unknown()).max(MAX_ITEMS).parse(answer)) {
    const parsed = schema.safeParse(each);
    if (parsed.success) {
      items.push(parsed.data);
      given.push(each);
    } else errors.push(parsed.error);
  }
  return { items, given, errors };
}

const MAX_ITEMS = 5_000;
