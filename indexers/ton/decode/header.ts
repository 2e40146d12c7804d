import type { Cell } from '@ton/core';
import type { TransactionRef } from '../../../contracts/chain/ton-transaction';
import { hash256 } from './format';

/** The position of a transaction in its account's chain. */
export interface TransactionHeader extends TransactionRef {
  readonly prev: TransactionRef;
}

/**
 * The fixed bits with which every transaction begins (block.tlb, `transaction$0111`). They can be read
 * even where the rest cannot, so one malformed transaction does not break the chain of its account.
 * @throws Error when the cell is not a transaction.
 */
export function transactionHeader(cell: Cell): TransactionHeader {
  const slice = cell.beginParse();
  if (slice.loadUint(4) !== 0b0111) throw new Error('the cell is not a transaction');
  slice.skip(256);
  const lt = slice.loadUintBig(64).toString();
  const prevHash = hash256(slice.loadUintBig(256));
  const prevLt = slice.loadUintBig(64).toString();
  return { lt, hash: cell.hash().toString('base64'), prev: { lt: prevLt, hash: prevHash } };
}
