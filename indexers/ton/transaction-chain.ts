import type { Cell } from '@ton/core';
import type { TransactionRef } from '../../contracts/chain/ton-transaction';
import { transactionHeader, type TransactionHeader } from './decode/header';
import type { VerifyContracts } from './verify-contracts';
import { toRecord, type LogRecord, type RecordOrigin } from './records';
import { SourceError, type TonSource } from './source';

/** A transaction of a chain. */
export interface ChainLink {
  readonly cell: Cell;
  readonly header: TransactionHeader;
}

export function isOlder(a: TransactionRef, b: TransactionRef): boolean {
  return BigInt(a.lt) < BigInt(b.lt);
}

const isNone = ({ lt }: TransactionRef): boolean => lt === '0';

/**
 * Pages through an account's chain, newest first, from a transaction to the first one. Checks that each transaction is the
 * predecessor that the next one names.
 * @throws SourceError when it is not
 */
export async function* readChain(
  source: TonSource,
  account: string,
  from: TransactionRef,
  signal: AbortSignal,
): AsyncGenerator<readonly ChainLink[]> {
  let next = from;
  while (!isNone(next)) {
    const links: ChainLink[] = [];
    for (const cell of await source.transactions(account, next, signal)) {
      const header = transactionHeader(cell);
      if (header.hash !== next.hash)
        throw new SourceError(`${account}: the page from ${from.lt} does not continue with ${next.lt}`);
      links.push({ cell, header });
      next = header.prev;
    }
    yield links;
  }
}

/** An account that was deleted and deployed again starts a new chain, so the start of a chain continues any head. */
const leadsTo = (head: TransactionRef, prev: TransactionRef): boolean =>
  isNone(prev) || (prev.lt === head.lt && prev.hash === head.hash);

/**
 * The transactions of an account between its head (exclusive) and `from` (inclusive), oldest first: those that a source
 * has not listed, such as in blocks between a split of shards and the next masterchain block. They fit into memory: they
 * are those of one account in a short time.
 * @throws SourceError when the chain does not lead to the head.
 */
export async function readMissing(
  { source, verify }: { readonly source: TonSource; readonly verify: VerifyContracts },
  head: TransactionRef,
  from: TransactionRef,
  origin: RecordOrigin,
  signal: AbortSignal,
): Promise<LogRecord[]> {
  const missing: ChainLink[] = [];
  if (leadsTo(head, from)) return [];
  for await (const links of readChain(source, origin.account, from, signal)) {
    for (const link of links) {
      if (!isOlder(head, link.header)) break;
      missing.push(link);
      if (!leadsTo(head, link.header.prev)) continue;
      return Promise.all(missing.reverse().map(({ cell, header }) => toRecord(cell, header, origin, verify)));
    }
    if (!isOlder(head, links.at(-1)!.header)) break;
  }
  throw new SourceError(
    `${origin.account}: the chain from ${from.lt} does not lead to the published ${head.lt}`,
  );
}
