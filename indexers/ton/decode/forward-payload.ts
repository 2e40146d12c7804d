import type { Cell, Slice } from '@ton/core';
import { textComment } from './comment';
import { boc } from './format';

/** `forward_payload:(Either Cell ^Cell)` of TEP-62 and TEP-74. Some contracts omit it, which is read as empty. */
export function forwardPayload(slice: Slice): { forwardPayload: string | null; comment: string | null } {
  const inReference = slice.remainingBits > 0 && slice.loadBit();
  const payload: Cell = inReference ? slice.loadRef() : slice.asCell();
  const empty = payload.bits.length === 0 && payload.refs.length === 0;
  return {
    forwardPayload: empty ? null : boc(payload),
    comment: empty || payload.isExotic ? null : textComment(payload.beginParse()),
  };
}
