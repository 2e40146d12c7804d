import { isUtf8 } from 'node:buffer';
import { canonicalJson } from '../../contracts/json/canonical-json';
import type { Json } from '../../contracts/json/json';
import { asLedgerEvent, type LedgerEvent } from '../../contracts/ledger-tree/ledger-line';
import { MAX_DEPTH, parseIJson } from '../../contracts/json/i-json';
import { readJson } from '../../contracts/json/read-json';

/** How ECMAScript writes half of a surrogate pair, and a backslash before `ud`. */
const SURROGATE = '\\ud';

/** The event of a line, which is its canonical form (`ledgerLine`) and I-JSON; null when it is anything else. */
export function eventInLine(line: Buffer): LedgerEvent | null {
  try {
    const text = line.toString();
    const value = readJson(text) as Json;
    // Written again as it was read it is the same, with each name once; this is half of the work of canonicalJson.
    const isCanonical =
      isSorted(value) && !text.includes(SURROGATE)
        ? JSON.stringify(value) === text
        : canonicalJson(parseIJson(line)) === text;
    return isCanonical && isUtf8(line) ? asLedgerEvent(value) : null;
  } catch {
    return null;
  }
}

/** Whether the names of every object ascend. False for more levels than I-JSON of this program has. */
function isSorted(value: Json, level = 0): boolean {
  if (value === null || typeof value !== 'object') return true;
  if (level === MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every(item => isSorted(item, level + 1));
  let last: string | null = null;
  for (const name in value) {
    if (last !== null && name <= last) return false;
    if (!isSorted(value[name]!, level + 1)) return false;
    last = name;
  }
  return true;
}
