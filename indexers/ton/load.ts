import type { Cell } from '@ton/core';
import type { TonNetwork } from '../../contracts/network';
import { letter, type Letter } from './letters';
import { SourceError, type ListedTransaction, type MasterBlock, type TonSource } from './source/port';

const byLt = (a: { lt: string }, b: { lt: string }): number => (BigInt(a.lt) < BigInt(b.lt) ? -1 : 1);

/** The listed transactions of each account, oldest first. A transaction that is listed twice counts once. */
export function byAccount(block: MasterBlock): Map<string, ListedTransaction[]> {
  const accounts = new Map<string, Map<string, ListedTransaction>>();
  for (const tx of block.shards.flatMap(shard => shard.transactions)) {
    const listed = accounts.get(tx.account) ?? new Map<string, ListedTransaction>();
    accounts.set(tx.account, listed.set(tx.lt, tx));
  }
  return new Map([...accounts].map(([account, listed]) => [account, [...listed.values()].sort(byLt)]));
}

/** The cells of listed transactions of one account: pages from the newest until all are there. */
async function cells(
  source: TonSource,
  account: string,
  listed: readonly ListedTransaction[],
  signal: AbortSignal,
): Promise<Map<string, Cell>> {
  const found = new Map<string, Cell>();
  for (let missing = listed; missing.length > 0;) {
    const page = await source.transactions(account, missing.at(-1)!, signal, missing.length);
    for (const cell of page) found.set(cell.hash().toString('base64'), cell);
    const left = missing.filter(tx => !found.has(tx.hash));
    if (left.length === missing.length)
      throw new SourceError(`${account}: a page without the transaction it was asked for`);
    missing = left;
  }
  return found;
}

/** Fetches and decodes what a block lists of the given accounts, oldest first. */
export async function loadBlock(
  source: TonSource,
  network: TonNetwork,
  block: MasterBlock,
  accounts: ReadonlyMap<string, readonly ListedTransaction[]>,
  signal: AbortSignal,
): Promise<Map<string, Letter[]>> {
  const loaded = await Promise.all(
    [...accounts].map(async ([account, listed]): Promise<[string, Letter[]]> => {
      const found = await cells(source, account, listed, signal);
      const postmark = { network, account, seqno: block.seqno, origin: 'tail' } as const;
      return [account, listed.map(tx => letter(found.get(tx.hash)!, tx, postmark))];
    }),
  );
  return new Map(loaded);
}
