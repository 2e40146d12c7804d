import type { TransactionRef } from '../../contracts/chain/ton-transaction';
import type { TonNetwork } from '../../contracts/network';
import type { Documents, Write } from '../../contracts/ports/documents';
import { HEADS, headId, headWrite, type HeadDocument } from './state';
import type { ShardRange } from './shards';

/** The newest published transaction of each account in hand: as stored, overlaid with what is about to be. */
export interface Heads {
  get(account: string): TransactionRef | undefined;
  move(account: string, to: TransactionRef): void;
  writes(): Write[];
}

export async function loadHeads(
  documents: Documents,
  network: TonNetwork,
  accounts: readonly string[],
): Promise<Heads> {
  const stored = await documents.getMany<HeadDocument>(
    HEADS,
    accounts.map(account => headId(network, account)),
  );
  const moved = new Map<string, TransactionRef>();
  return {
    get: account => moved.get(account) ?? stored.get(headId(network, account)),
    move: (account, to) => void moved.set(account, to),
    writes: () => [...moved].map(([account, to]) => headWrite(network, account, to)),
  };
}

/** Which of the accounts are followed. */
export async function followed(
  documents: Documents,
  network: TonNetwork,
  accounts: readonly string[],
): Promise<Set<string>> {
  if (accounts.length === 0) return new Set();
  const stored = await documents.getMany<HeadDocument>(
    HEADS,
    accounts.map(account => headId(network, account)),
  );
  return new Set([...stored.values()].map(head => head.account));
}

const bound = (workchain: number, prefix: bigint, rest: string): string =>
  `${workchain}:${prefix.toString(16).padStart(16, '0')}${rest.repeat(48)}`;

/** The followed accounts of a shard, in pages. */
export function headsWithin(
  documents: Documents,
  network: TonNetwork,
  { workchain, from, to }: ShardRange,
): AsyncIterable<readonly HeadDocument[]> {
  return documents.scan<HeadDocument>(HEADS, {
    filter: { network, account: { gte: bound(workchain, from, '0'), lte: bound(workchain, to, 'f') } },
    order: [['account', 'asc']],
    limit: 200,
  });
}
