import { z } from 'zod';
import { decodeBase64 } from '../../../../contracts/encoding/base64';
import { fromBase58 } from '../svm/base58';
import { MAX_TRANSACTION_BYTES, UnsoundTransaction } from '../svm/wire';
import { MalformedTransaction } from '../svm/reader';
import { invalidParams } from './error';

/** Base58 is the longer encoding: longer text cannot be a transaction. */
const MAX_ENCODED = Math.ceil((MAX_TRANSACTION_BYTES * 4) / 3) + 64;
export const encodedBytes = z.string().min(1).max(MAX_ENCODED);
export const wireEncoding = z.enum(['base58', 'base64']);

const decode = (text: string, encoding: z.output<typeof wireEncoding>): Buffer => {
  const bytes = encoding === 'base58' ? fromBase58(text) : decodeBase64(text);
  if (!bytes) throw invalidParams(`0: not ${encoding}`);
  if (bytes.length > MAX_TRANSACTION_BYTES)
    throw invalidParams(`0: ${bytes.length} bytes, a transaction has at most ${MAX_TRANSACTION_BYTES}`);
  return bytes;
};

/** Decodes and parses the first parameter of a call. @throws -32602 with the reason */
export function readWire<Result>(
  text: string,
  encoding: z.output<typeof wireEncoding>,
  parse: (bytes: Buffer) => Result,
): Result {
  const bytes = decode(text, encoding);
  try {
    return parse(bytes);
  } catch (error) {
    if (error instanceof MalformedTransaction)
      throw invalidParams(`0: failed to deserialize: ${error.message}`);
    if (error instanceof UnsoundTransaction) throw invalidParams(`0: invalid transaction: ${error.message}`);
    throw error;
  }
}
