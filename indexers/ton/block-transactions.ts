import type { Cell } from '@ton/core';
import type { TonNetwork } from '../../contracts/network/network';
import type { Documents } from '../../contracts/ports/documents';
import { Gap } from '../gap';
import type { IndexScope } from '../indexer';
import { followedAccounts } from './account-heads';
import type { Cursor } from './cursor';
import type { VerifyContracts } from './verify-contracts';
import { toRecord, type LogRecord } from './records';
import { advanceShards, type ShardRange } from './shards';
import { SourceError, type ListedTransaction, type MasterBlock, type TonSource } from './source';

/** A block with the transactions to read, and the cursor after they are published. */
export interface SelectedBlock {
  readonly block: MasterBlock;
  readonly accounts: ReadonlyMap<string, readonly ListedTransaction[]>;
  /** Everything that the block lists. */
  readonly listed: ReadonlyMap<string, readonly ListedTransaction[]>;
  readonly cursor: Cursor;
  /** Shards of which the source did not list every block. */
  readonly incompleteShards: readonly ShardRange[];
}

const byLt = (a: { lt: string }, b: { lt: string }): number => (BigInt(a.lt) < BigInt(b.lt) ? -1 : 1);

/** The listed transactions of each account, oldest first. A transaction that is listed twice counts once. */
export function groupByAccount(block: MasterBlock): Map<string, ListedTransaction[]> {
  const accounts = new Map<string, Map<string, ListedTransaction>>();
  for (const tx of block.shards.flatMap(shard => shard.transactions)) {
    const listed = accounts.get(tx.account) ?? new Map<string, ListedTransaction>();
    accounts.set(tx.account, listed.set(tx.lt, tx));
  }
  return new Map([...accounts].map(([account, listed]) => [account, [...listed.values()].sort(byLt)]));
}

/** @throws Gap when the source left out blocks of a shard. */
export async function selectTransactions(
  documents: Documents,
  network: TonNetwork,
  scope: IndexScope,
  before: Cursor,
  block: MasterBlock,
): Promise<SelectedBlock> {
  const { tips, incomplete, jump } = advanceShards(before.shards, block.shards);
  if (jump) throw new Gap(block.seqno, jump);
  const listed = groupByAccount(block);
  const followed = scope === 'all' ? null : await followedAccounts(documents, network, [...listed.keys()]);
  return {
    block,
    listed,
    accounts: followed ? new Map([...listed].filter(([account]) => followed.has(account))) : listed,
    cursor: { seqno: block.seqno, rootHash: block.rootHash, shards: tips },
    incompleteShards: incomplete,
  };
}

/** The cells of listed transactions of one account, read in pages from the newest one. */
export async function fetchCells(
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
      throw new SourceError(`${account}: a page without the requested transaction`);
    missing = left;
  }
  return found;
}

interface FetchDeps {
  readonly source: TonSource;
  readonly network: TonNetwork;
  readonly verify: VerifyContracts;
}

/** Fetches and decodes what a block lists of the given accounts, oldest first. */
export async function fetchRecords(
  { source, network, verify }: FetchDeps,
  block: MasterBlock,
  accounts: ReadonlyMap<string, readonly ListedTransaction[]>,
  signal: AbortSignal,
): Promise<Map<string, LogRecord[]>> {
  const fetched = await Promise.all(
    [...accounts].map(async ([account, listed]): Promise<[string, LogRecord[]]> => {
      const cells = await fetchCells(source, account, listed, signal);
      const origin = { network, account, seqno: block.seqno, origin: 'tail' } as const;
      return [
        account,
        await Promise.all(listed.map(tx => toRecord(cells.get(tx.hash)!, tx, origin, verify))),
      ];
    }),
  );
  return new Map(fetched);
}
