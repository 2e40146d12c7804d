import { z } from 'zod';
import { invalidParameter } from './rpc-error';

const ticker = z.string().min(1).max(32);
const address = z.string().min(1).max(256);
const extraId = z.string().max(256).nullish();
const amount = z.string().regex(/^\d{1,30}(\.\d+)?$/);
const userMetadata = z.string().max(4_096).nullish();
const rateType = z.enum(['float', 'fixed']);
const transactionId = z.string().min(1).max(64);

const MAX_LISTED = 10;
const MAX_PAIRS = 200;
const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 10;

const oneOrMore = <Item extends z.ZodType>(item: Item) =>
  z
    .union([item, z.array(item).min(1).max(MAX_LISTED)])
    .nullish()
    .transform(given =>
      given === null || given === undefined
        ? null
        : new Set<z.output<Item>>([given].flat() as z.output<Item>[]),
    );

/** An object asks for one pair, and errors answer it; an array leaves out the pairs that it cannot answer. */
const oneOrSome = <Item extends z.ZodType>(item: Item) =>
  z.union([z.array(item).min(1).max(MAX_PAIRS), item.transform(single => ({ single }))]);

const order = {
  from: ticker,
  to: ticker,
  address,
  extraId,
  refundExtraId: extraId,
  fromAddress: address.nullish(),
  fromExtraId: extraId,
  userMetadata,
};

export const PARAMS = {
  none: z.union([z.strictObject({}), z.tuple([])]).optional(),
  pairs: z
    .strictObject({ from: ticker.optional(), to: ticker.optional(), txType: rateType.optional() })
    .optional(),
  exchangeAmount: oneOrSome(z.strictObject({ from: ticker, to: ticker, amountFrom: amount, userMetadata })),
  fixRate: oneOrSome(
    z.strictObject({
      from: ticker,
      to: ticker,
      amountFrom: amount.optional(),
      amountTo: amount.optional(),
      userMetadata,
    }),
  ),
  pairsParams: z
    .array(z.strictObject({ from: ticker, to: ticker }))
    .min(1)
    .max(MAX_PAIRS),
  validateAddress: z.strictObject({ currency: ticker, address, extraId }),
  create: z.strictObject({ ...order, amountFrom: amount, refundAddress: address.nullish() }),
  createFixed: z.strictObject({
    ...order,
    rateId: z.string().min(1).max(256),
    amountFrom: amount.optional(),
    amountTo: amount.optional(),
    refundAddress: address,
  }),
  transactions: z.strictObject({
    id: oneOrMore(transactionId),
    status: oneOrMore(z.string()),
    currency: oneOrMore(ticker),
    address: oneOrMore(address),
    payoutAddress: oneOrMore(address),
    extraId,
    since: z.int().min(1e15).max(Number.MAX_SAFE_INTEGER).optional(),
    limit: z.int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT),
    offset: z.int().min(0).default(0),
  }),
  status: z.strictObject({ id: transactionId }),
};

/** @throws RpcError that names the parameter */
export function checkParams<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw invalidParameter(nameOf(parsed.error.issues[0]!));
}

/** Of a union, the parameter at fault in the branch that came furthest. */
function nameOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_union') {
    const branches = issue.errors.flatMap(([first]) => (first ? [first] : []));
    const furthest = branches.reduce<z.core.$ZodIssue | undefined>(
      (best, each) => (best && depth(best) >= depth(each) ? best : each),
      undefined,
    );
    return issue.path.length > 0 || !furthest || depth(furthest) === 0 ? last(issue.path) : nameOf(furthest);
  }
  return issue.code === 'unrecognized_keys' ? issue.keys[0]! : last(issue.path);
}

const depth = (issue: z.core.$ZodIssue): number =>
  issue.path.length + (issue.code === 'unrecognized_keys' ? 1 : 0);

const last = (path: readonly PropertyKey[]): string =>
  String(path.findLast(key => typeof key === 'string') ?? 'params');
