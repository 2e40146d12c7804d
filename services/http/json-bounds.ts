import { Problem } from '../../contracts/problem/problem';

/** Of open arrays and objects; what is nested less deep, and still too deep for an endpoint, is named by its place. */
const MAX_DEPTH = 64;
/** Of items and members together: three times those of the largest batch. */
const MAX_VALUES = 50_000;

const [QUOTE, COMMA, BACKSLASH] = [...'",\\'].map(char => char.charCodeAt(0));
const OPENING = new Set([...'[{'].map(char => char.charCodeAt(0)));
const CLOSING = new Set([...']}'].map(char => char.charCodeAt(0)));

/**
 * Refuses JSON that would take seconds to parse and to compare with a schema: hundreds of thousands of names, or of nested
 * arrays. One look at each byte. @throws Problem 400
 */
export function checkJsonBounds(bytes: Uint8Array): void {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COMMA) values++;
    else if (OPENING.has(byte)) {
      depth++;
      values++;
    } else if (CLOSING.has(byte)) depth--;
    if (depth > MAX_DEPTH) throw Problem.invalid('/body', `nested deeper than ${MAX_DEPTH}`, 'too_deep');
    if (values > MAX_VALUES)
      throw Problem.invalid('/body', `more than ${MAX_VALUES} items and members`, 'too_big');
  }
}

/** The closing quote of the string that begins at `start`, or the end of the text. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
