import { z } from 'zod';
import { decodeBase64 } from '../../../../contracts/encoding/base64';
import { fromBase58 } from '../svm/base58';
import { COMMITMENTS } from '../chain/ledger';

const base58Of = (bytes: number, what: string) =>
  z
    .string()
    .max(100)
    .refine(text => fromBase58(text)?.length === bytes, `not ${what}: ${bytes} bytes in base58`);

export const address = base58Of(32, 'an address');
export const signature = base58Of(64, 'a signature');
export const blockhash = base58Of(32, 'a blockhash');
/** Slots, lamports, sizes: as far as JSON numbers are exact. */
export const u64 = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

export const commitment = z.enum(COMMITMENTS).default('finalized');

/** The last parameter of most methods. Unknown fields are ignored: other versions have more. */
export const context = z.looseObject({ commitment, minContextSlot: u64.optional() });
/** For methods about blocks and history, which require at least `confirmed`. */
export const historyContext = z.looseObject({
  ...context.shape,
  commitment: commitment.refine(
    value => value !== 'processed',
    'this call does not support commitment below `confirmed`',
  ),
});
export const anyContext = context.nullish().transform(value => value ?? context.parse({}));

const ACCOUNT_ENCODINGS = ['binary', 'base58', 'base64', 'jsonParsed'] as const;
export type AccountEncoding = (typeof ACCOUNT_ENCODINGS)[number];

export const dataSlice = z.object({ offset: u64, length: u64 });

export const accountFormat = {
  encoding: z.enum(ACCOUNT_ENCODINGS).default('binary'),
  dataSlice: dataSlice.nullish(),
};
export const accountContext = z.looseObject({ ...context.shape, ...accountFormat });

const memcmp = z
  .looseObject({
    offset: u64,
    bytes: z.string().max(175),
    encoding: z.enum(['base58', 'base64']).default('base58'),
  })
  .transform(({ offset, bytes, encoding }, check) => {
    const wanted = encoding === 'base64' ? decodeBase64(bytes) : fromBase58(bytes);
    if (wanted) return { offset, bytes: wanted };
    check.addIssue({ code: 'custom', message: `not ${encoding}` });
    return z.NEVER;
  });
const filter = z.union([
  z.object({ dataSize: u64 }),
  z.object({ memcmp }),
  z.object({ tokenAccountState: z.null() }),
]);
export type AccountFilter = z.output<typeof filter>;
export const filters = z.array(filter).max(4).nullish();

const VERSION_LIMIT = 255;
const TRANSACTION_ENCODINGS = ['json', 'jsonParsed', 'base58', 'base64'] as const;
export const transactionFormat = {
  encoding: z.enum(TRANSACTION_ENCODINGS).default('json'),
  maxSupportedTransactionVersion: z.number().int().min(0).max(VERSION_LIMIT).nullish(),
};
export type TransactionEncoding = (typeof TRANSACTION_ENCODINGS)[number];

/** An optional configuration object, or only the encoding, as in early versions. */
export function orEncoding<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess(value => (typeof value === 'string' ? { encoding: value } : (value ?? {})), schema);
}
