import type { TransactionRef } from '../../contracts/chain/ton-transaction';
import { accountKey, type TonNetwork } from '../../contracts/network/network';
import type { CollectionSpec, Document, Documents, Write } from '../../contracts/ports/documents';
import type { ShardRange } from './shards';

/** One document for each account whose chain is followed: its newest published transaction. */
export const ACCOUNT_HEADS: CollectionSpec = {
  name: 'indexer_ton_account_heads',
  indexes: [
    {
      fields: [
        ['network', 'asc'],
        ['account', 'asc'],
      ],
    },
  ],
};

type HeadDocument = Document & { network: TonNetwork; account: string; lt: string; hash: string };

/** Before the first transaction of an account. */
export const NO_TRANSACTION: TransactionRef = { lt: '0', hash: '' };

export function accountId(network: TonNetwork, account: string): string {
  return accountKey({ chain: 'ton', network, address: account });
}

export function headWrite(network: TonNetwork, account: string, { lt, hash }: TransactionRef): Write {
  const id = accountId(network, account);
  return { collection: ACCOUNT_HEADS.name, id, document: { _id: id, network, account, lt, hash } };
}

/** The newest published transaction of some accounts: as stored, with pending changes. */
export interface AccountHeads {
  get(account: string): TransactionRef | undefined;
  set(account: string, to: TransactionRef): void;
  writes(): Write[];
}

export async function loadHeads(
  documents: Documents,
  network: TonNetwork,
  accounts: readonly string[],
): Promise<AccountHeads> {
  const stored = await loadStored(documents, network, accounts);
  const changed = new Map<string, TransactionRef>();
  return {
    get: account => changed.get(account) ?? stored.get(accountId(network, account)),
    set: (account, to) => void changed.set(account, to),
    writes: () => [...changed].map(([account, to]) => headWrite(network, account, to)),
  };
}

/** Which of the accounts are followed. */
export async function followedAccounts(
  documents: Documents,
  network: TonNetwork,
  accounts: readonly string[],
): Promise<Set<string>> {
  if (accounts.length === 0) return new Set();
  const stored = await loadStored(documents, network, accounts);
  return new Set([...stored.values()].map(head => head.account));
}

function loadStored(documents: Documents, network: TonNetwork, accounts: readonly string[]) {
  const ids = accounts.map(account => accountId(network, account));
  return documents.getMany<HeadDocument>(ACCOUNT_HEADS.name, ids);
}

const bound = (workchain: number, prefix: bigint, rest: string): string =>
  `${workchain}:${prefix.toString(16).padStart(16, '0')}${rest.repeat(48)}`;

/** The followed accounts of a shard, in pages. */
export function headsInShard(
  documents: Documents,
  network: TonNetwork,
  { workchain, from, to }: ShardRange,
): AsyncIterable<readonly HeadDocument[]> {
  return documents.scan<HeadDocument>(ACCOUNT_HEADS.name, {
    filter: { network, account: { gte: bound(workchain, from, '0'), lte: bound(workchain, to, 'f') } },
    order: [['account', 'asc']],
    limit: 200,
  });
}

/** All followed accounts of a network, in pages. */
export function followedByNetwork(
  documents: Documents,
  network: TonNetwork,
): AsyncIterable<readonly HeadDocument[]> {
  return documents.scan<HeadDocument>(ACCOUNT_HEADS.name, {
    filter: { network },
    order: [['account', 'asc']],
    limit: 200,
  });
}
