import type { RawTransaction } from './raw';

/** A string of JSON (RFC 8259, section 7). */
const STRING = String.raw`"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*"`;
const LOGS = new RegExp(String.raw`,"logMessages":\[(?:${STRING}(?:,${STRING})*)?\]`);
/** What is parsed in the place of the logs: so what is wrong around them is told. */
const NO_LOGS = ',"logMessages":null';

/** What was parsed, of transactions that were parsed without their logs. */
const texts = new WeakMap<RawTransaction, string>();

/**
 * The JSON text of a transaction without its logs: a quarter of it, and a node cuts them off at 10 kB, so that nothing can be
 * derived from them that holds for all transactions. It is what the node printed, where that is known.
 */
export function transactionJson(raw: RawTransaction): string {
  return texts.get(raw) ?? JSON.stringify(withoutLogs(raw));
}

function withoutLogs(raw: RawTransaction): RawTransaction {
  if (!raw.meta) return raw;
  const { logMessages: _, ...meta } = raw.meta;
  return { ...raw, meta };
}

function parseTransaction(text: string): RawTransaction {
  const logs = LOGS.exec(text);
  const before = logs ? text.slice(0, logs.index) : text;
  const after = logs ? text.slice(logs.index + logs[0].length) : '';
  const raw = JSON.parse(logs ? before + NO_LOGS + after : text) as RawTransaction;
  // There are logs, but not where nodes print them.
  if (raw.meta?.logMessages !== (logs ? null : undefined)) return JSON.parse(text) as RawTransaction;
  texts.set(raw, before + after);
  return raw;
}

/** As far as it is parsed here. */
interface BlockResponse {
  readonly result: { transactions: Iterable<RawTransaction> };
}

const parse = (text: string): BlockResponse => JSON.parse(text) as BlockResponse;

/**
 * Parses what a node answers to `getBlock`. In place of the list of transactions is what parses one after the other as they
 * are read, without their logs: thousands of them that are all in memory cost more than to parse them does.
 * @throws SyntaxError as `JSON.parse`; so does reading the transactions
 */
export function parseBlockResponse(text: string): unknown {
  return parseLazily(text) ?? parse(text);
}

const LIST = ',"transactions":[';
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
    const [others, last, ...more] = response.result.transactions;
    if (others !== null || last === undefined || more.length > 0) return null;
    response.result.transactions = {
      *[Symbol.iterator]() {
        let parsed = 0;
        try {
          for (let at = start; at < end; parsed++) {
            const next = text.indexOf(separator, at) + '},'.length;
            yield parseTransaction(text.slice(at, next - ','.length));
            at = next;
          }
          yield last;
        } catch {
          // Malformed, which the whole text tells, or not the end of a transaction.
          yield* [...parse(text).result.transactions].slice(parsed);
        }
      },
    };
    return response;
  } catch {
    return null;
  }
}
