import { Buffer } from 'node:buffer';
import type { Slice } from '@ton/core';

const MAX_CELLS = 1024;

/**
 * The bytes of a slice and of the cells that follow it by their first reference (the "snake" format of TEP-64),
 * or null when a cell does not hold whole bytes.
 */
function snakeBytes(start: Slice): Buffer | null {
  const parts: Buffer[] = [];
  let slice = start;
  for (let cells = 0; cells < MAX_CELLS; cells++) {
    if (slice.remainingBits % 8 !== 0) return null;
    parts.push(slice.loadBuffer(slice.remainingBits / 8));
    if (slice.remainingRefs === 0) break;
    const next = slice.loadRef();
    if (next.isExotic) break;
    slice = next.beginParse();
  }
  return Buffer.concat(parts);
}

/**
 * The text comment that a body holds: op 0, then UTF-8 in snake cells. Null when it is anything else or empty.
 * Bytes that are not UTF-8 become U+FFFD; a character may be split across two cells.
 */
export function textComment(body: Slice): string | null {
  if (body.remainingBits < 32 || body.preloadUint(32) !== 0) return null;
  const text = snakeBytes(body.clone().skip(32))?.toString('utf8').replaceAll('\0', '');
  return text || null;
}
