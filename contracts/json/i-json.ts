import type { Json } from './json';
import { repeatedMember } from './parse-json';
import { readJson } from './read-json';
import { endOfString } from './strings';

/** Answers, proofs and keys are nested five deep. */
export const MAX_DEPTH = 64;

/** Parsed, so many take less memory than the smallest machines have. A proof of a hundred thousand events has fewer. */
const MAX_VALUES = 2 ** 23;

/** The text is not I-JSON, or not all of it would be compared with what was signed. */
export class NotIJson extends Error {
  override readonly name = 'NotIJson';
}

/**
 * The value of an I-JSON text (RFC 7493) that has one reading only: UTF-8 without a lone surrogate (section 2.1), each name
 * once in its object (2.3), and each number as ECMAScript writes it, so that no digit of it is lost (2.2; RFC 8785, 3.2.2.3).
 * @throws NotIJson
 */
export function parseIJson(bytes: Buffer): Json {
  if (hasTooMany(bytes)) throw new NotIJson(`it has more than ${MAX_VALUES} values`);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value = readJson(text) as Json;
    const repeated = repeatedMember(text, value)?.at(-1);
    if (repeated !== undefined) throw new NotIJson(`the member ${JSON.stringify(repeated)} is there twice`);
    checkTokens(text);
    return value;
  } catch (error) {
    if (error instanceof SyntaxError) throw new NotIJson(`it is not JSON${placeOf(error)}`);
    throw error instanceof NotIJson ? error : new NotIJson((error as Error).message);
  }
}

/** Where the parser says it: the rest of its message may quote the text. */
function placeOf({ message }: SyntaxError): string {
  const [place] = /line \d+ column \d+/.exec(message) ?? [];
  return place === undefined ? '' : `: ${place}`;
}

/** Counted before they are parsed: each value but the first follows a comma or an opening bracket. */
function hasTooMany(bytes: Buffer): boolean {
  if (bytes.length <= MAX_VALUES) return false;
  let values = 1;
  for (const byte of bytes) if (byte === COMMA || byte === BRACKET || byte === BRACE) values++;
  return values > MAX_VALUES;
}

const [COMMA, BRACKET, BRACE] = Buffer.from(',[{');

const NUMBER = /-?\d[\d.eE+-]*/y;

/** @param text valid JSON */
function checkTokens(text: string): void {
  let depth = 0;
  for (let at = 0; at < text.length;) {
    const char = text[at]!;
    if (char === '"') {
      const end = endOfString(text, at);
      if (/\p{Surrogate}/u.test(JSON.parse(text.slice(at, end)) as string))
        throw new NotIJson('a text has half of a surrogate pair');
      at = end;
    } else if (char === '-' || (char >= '0' && char <= '9')) {
      NUMBER.lastIndex = at;
      const [number] = NUMBER.exec(text)!;
      if (JSON.stringify(Number(number)) !== number)
        throw new NotIJson(`the number ${number.slice(0, 40)} is not in its exact, shortest form`);
      at += number.length;
    } else {
      if (char === '{' || char === '[') depth++;
      if (char === '}' || char === ']') depth--;
      if (depth > MAX_DEPTH) throw new NotIJson(`it is nested deeper than ${MAX_DEPTH} levels`);
      at++;
    }
  }
}
