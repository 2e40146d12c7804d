import type { RawTransaction } from './raw';
import { readJson } from '../../contracts/json/read-json';

const KEY = '"logMessages":';
/** A list of strings. */
const LOGS = /,"logMessages":\[(?:"[^"\\]*(?:\\.[^"\\]*)*",?)*\]/y;
/** Far more than nodes print; a much longer match would exceed the stack. */
const MAX_TEXT = 1_000_000;

/**
 * The transaction that was parsed last, as the node printed it: its record is made before the next is parsed. To know the
 * text of each by a WeakMap costs a twentieth of decoding a block.
 */
let latest: { readonly raw: RawTransaction; readonly text: string } | null = null;

/**
 * The JSON text of a transaction without its logs: a quarter of it, and a node cuts them off at 10 kB, so that nothing can be
 * derived from them that holds for all transactions. It is what the node printed, where that is known.
 */
export function transactionJson(raw: RawTransaction): string {
  const printed = latest?.raw === raw ? cutLogs(latest) : null;
  return printed ?? JSON.stringify(withoutLogs(raw));
}

/** Null when there is another key of that name, or they are not printed as nodes do. */
function cutLogs({ raw, text }: NonNullable<typeof latest>): string | null {
  if (raw.meta?.logMessages === undefined) return text;
  const start = text.indexOf(KEY);
  if (start !== text.lastIndexOf(KEY) || text.length > MAX_TEXT) return null;
  LOGS.lastIndex = start - ','.length;
  return LOGS.test(text) ? text.slice(0, start - ','.length) + text.slice(LOGS.lastIndex) : null;
}

function withoutLogs(raw: RawTransaction): RawTransaction {
  if (!raw.meta) return raw;
  const { logMessages: _, ...meta } = raw.meta;
  return { ...raw, meta };
}

function parseTransaction(text: string): RawTransaction {
  const raw = readJson(text) as RawTransaction;
  latest = { raw, text };
  return raw;
}

/** As far as it is parsed here. */
interface BlockResponse {
  readonly result: { transactions: Iterable<RawTransaction> };
}

const parse = (text: string): BlockResponse => readJson(text) as BlockResponse;

/**
 * Parses what a node answers to `getBlock`. In place of the list of transactions is what parses one after the other as they
 * are read: thousands of them that are all in memory cost more than to parse them does.
 * @throws SyntaxError as `JSON.parse`; so does reading the transactions
 */
export function parseBlockResponse(text: string): unknown {
  return parseLazily(text) ?? parse(text);
}

const LIST = ',"transactions":[';
/** Of every block. */
const HEADER = ['blockhash', 'previousBlockhash', 'parentSlot', 'blockTime'];
/** In the list, in the place of all transactions but the last. */
const OTHERS = 'null,';

/**
 * Splits the list where `},` and the first key of its first transaction follow each other. When each part is JSON, and so is
 * the text without them, these are the ends of transactions: no string or bracket has to be looked for. Null when the text
 * is not like that.
 */
function parseLazily(text: string): BlockResponse | null {
  const start = text.indexOf(LIST) + LIST.length;
  const separator = `},${text.slice(start, text.indexOf(':', start) + 1)}`;
  const end = text.lastIndexOf(separator) + '},'.length;
  if (start < LIST.length || end < start) return null;
  try {
    const response = parse(text.slice(0, start) + OTHERS + text.slice(end));
    const { result } = response;
    const [others, last, ...more] = result.transactions;
    if (others !== null || last === undefined || more.length > 0) return null;
    // Where the separator is found after the list too, what stands between was left out with the transactions.
    if (!HEADER.every(key => Object.hasOwn(result, key))) return null;
    result.transactions = {
      *[Symbol.iterator]() {
        let parsed = 0;
        try {
          for (let at = start; at < end; parsed++) {
            const next = text.indexOf(separator, at) + '},'.length;
            yield parseTransaction(text.slice(at, next - ','.length));
            at = next;
          }
          latest = null;
          yield last;
        } catch {
          // Malformed, which the whole text shows, or not the end of a transaction.
          yield* [...parse(text).result.transactions].slice(parsed);
        }
      },
    };
    return response;
  } catch {
    return null;
  }
}
