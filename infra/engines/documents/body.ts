import type { Document } from '../../../contracts/ports/documents';
import { readJson } from '../../../contracts/json/read-json';

/** From this length on it is cheaper to store a text as it is than to escape and unescape it. */
const MIN_LENGTH = 256;
/** Not `_id`, which is read from the JSON, and not `__proto__`. */
const FIELD = /^[a-z]\w*$/i;
/** What would end a line, or has no UTF-8 encoding: control characters and lone surrogates. */
const NOT_ON_A_LINE = /[\p{Cc}\p{Cs}]/u;

const isLine = (field: string, value: unknown): value is string =>
  typeof value === 'string' && value.length >= MIN_LENGTH && FIELD.test(field) && !NOT_ON_A_LINE.test(value);

/**
 * A document as text: its JSON on the first line. The long texts of its fields follow as they are, each after a line with
 * the name of its field. So a row that is stored as it is served is neither escaped nor scanned.
 */
export function bodyOf(document: Document): string {
  let rest: Readonly<Record<string, unknown>> = document;
  let lines = '';
  for (const field in document) {
    const value = document[field];
    if (!isLine(field, value)) continue;
    rest = { ...rest, [field]: undefined };
    lines += `\n${field}\n${value}`;
  }
  return JSON.stringify(rest) + lines;
}

/** The document of a text that `bodyOf` has made. Its long texts are the last fields. */
export function documentIn<D extends Document>(body: string): D {
  const [json, ...lines] = body.split('\n') as [string, ...string[]];
  const document = readJson(json) as Record<string, unknown>;
  for (let at = 0; at < lines.length; at += 2) document[lines[at]!] = lines[at + 1];
  return document as D;
}
