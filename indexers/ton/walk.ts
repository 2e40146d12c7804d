import type { Cell } from '@ton/core';
import type { TransactionRef } from '../../contracts/chain/ton-transaction';
import { transactionHeader, type TransactionHeader } from './decode/header';
import { SourceError, type TonSource } from './source/port';

export interface Step {
  readonly cell: Cell;
  readonly header: TransactionHeader;
}

export function isOlder(a: TransactionRef, b: TransactionRef): boolean {
  return BigInt(a.lt) < BigInt(b.lt);
}

export function isFirst({ lt }: TransactionRef): boolean {
  return lt === '0';
}

/**
 * Pages through an account's chain, newest first, from a transaction to the very first one. Every step is checked
 * to be the one that its successor names.
 */
export async function* walkBack(
  source: TonSource,
  account: string,
  from: TransactionRef,
  signal: AbortSignal,
): AsyncGenerator<readonly Step[]> {
  let next = from;
  while (!isFirst(next)) {
    const steps: Step[] = [];
    for (const cell of await source.transactions(account, next, signal)) {
      const header = transactionHeader(cell);
      if (header.hash !== next.hash)
        throw new SourceError(`${account}: the page of ${from.lt} breaks before ${next.lt}`);
      steps.push({ cell, header });
      next = header.prev;
    }
    yield steps;
  }
}
