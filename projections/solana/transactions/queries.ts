import type { Finality } from '../../../contracts/chain/solana';
import type { EnhancedTransaction } from '../../../contracts/chain/solana-transaction';
import { JsonText } from '../../../contracts/json/json-text';
import { accountKey, type SolanaNetwork } from '../../../contracts/network/network';
import type { Source } from '../../../contracts/ports/documents';
import { perDocument } from '../../per-document';
import type { Views } from '../../views';
import {
  chainOrderOf,
  HISTORIES,
  ORPHANS,
  TOKEN_TRANSACTIONS,
  TRANSACTIONS,
  type HistoryDocument,
  type OrphanDocument,
  type TransactionDocument,
} from './documents';
import { NEWEST_FIRST, PAGE_SIZE, readPage, type ChainPlace, type SolanaTransactionsPage } from './page';

export type { ChainPlace, SolanaTransactionsPage };

/** A transaction of a page. */
export interface SolanaHistoryEntry {
  readonly signature: string;
  readonly slot: number;
  /** Unix seconds. */
  readonly timestamp: number;
  /** Of all tokens that it transfers, not only those of the account. */
  readonly mints: readonly string[];
  /** As it is served. */
  readonly item: JsonText<EnhancedTransaction>;
}

export interface FoundSignature {
  readonly slot: number;
  readonly finality: Finality;
  readonly error: string | null;
}

export interface FoundInclusion {
  readonly blockhash: string;
  readonly finality: Finality;
  readonly item: EnhancedTransaction;
}

export interface NewestTransaction {
  readonly signature: string;
  readonly slot: number;
  readonly blockhash: string;
  /** Empty when the transaction names the account; else the token accounts through which it was affected. */
  tokenAccounts(): readonly string[];
  readonly balance: { readonly lamports: string; readonly slot: number } | null;
}

/** Every transaction in the slots after `since` is known; `parts` is how many parts of the history are read. */
export interface KnownHistory {
  readonly watch: number;
  readonly slot: number;
  readonly since: number;
  /** The same of those that mention the account, which are listed first; -1: all of them are known. */
  readonly mentionedSince: number;
  readonly parts: number;
  readonly complete: boolean;
  /** Grows when a fork takes a transaction back, also one that is not the newest. */
  readonly rollbackOffset: number;
}

export interface SolanaTransactions {
  /**
   * Transactions that mention an account, as `getSignaturesForAddress` lists them but for consensus votes, newest first.
   * With `mint`: those that affect its token account, or token accounts that it owns, of that mint, also when they do not
   * mention it.
   */
  page(network: SolanaNetwork, address: string, page: SolanaTransactionsPage): Promise<SolanaHistoryEntry[]>;
  /** Transactions that mention any of the accounts, each once, newest first; only what is older than all of `before`. */
  mentions(
    network: SolanaNetwork,
    addresses: readonly string[],
    page: { readonly limit: number; readonly before: readonly ChainPlace[] },
  ): Promise<SolanaHistoryEntry[]>;
  /**
   * Where a transaction of any watched account is, or was before a fork dropped it; null when it is not known.
   */
  place(network: SolanaNetwork, signature: string): Promise<ChainPlace | null>;
  /** The inclusion of a transaction as an account sees it; null when there is none. */
  inclusion(network: SolanaNetwork, address: string, signature: string): Promise<FoundInclusion | null>;
  /** The status of a transaction of any watched account; null when there is none. */
  find(network: SolanaNetwork, signature: string): Promise<FoundSignature | null>;
  /** The newest transaction of an account, and its balance after the newest transaction that has one. */
  newest(network: SolanaNetwork, address: string): Promise<NewestTransaction | null>;
  /** How far back the transactions are known, and for which watch; null before the first part of a backfill has ended. */
  history(network: SolanaNetwork, address: string): Promise<KnownHistory | null>;
}

/**
 * The documents that pages of an account and its history are read from.
 * @param bounded whether `before` or `until` is used: signatures are looked up among those of all accounts
 * @param byMint whether `mint` is used
 */
export function solanaPageSources(
  network: SolanaNetwork,
  address: string,
  { bounded, byMint }: { readonly bounded: boolean; readonly byMint: boolean },
): Source[] {
  const part = key(network, address);
  return [
    { collection: HISTORIES.name, part },
    bounded ? SOLANA_SIGNATURE_SOURCE : { collection: TRANSACTIONS.name, part },
    ...(byMint ? [{ collection: TOKEN_TRANSACTIONS.name, part }] : []),
  ];
}

/** The documents that the newest transactions of an account are read from. */
export function solanaNewestSource(network: SolanaNetwork, address: string): Source {
  return {
    collection: TRANSACTIONS.name,
    part: key(network, address),
  };
}

/** The documents in which a transaction is found by its signature. */
export const SOLANA_SIGNATURE_SOURCE: Source = { collection: TRANSACTIONS.name };

/** The place of a transaction of which only the slot is known. */
export function placeInSlot(slot: number): ChainPlace {
  return { slot, newerBound: chainOrderOf(slot + 1, 0), olderBound: chainOrderOf(slot, 0) - 1 };
}

const key = (network: SolanaNetwork, address: string): string =>
  accountKey({ chain: 'solana', network, address });

export const SOLANA_TRANSACTION_COLLECTIONS: readonly string[] = [TRANSACTIONS.name, HISTORIES.name];

const entryOf = perDocument(
  ({ signature, slot, timestamp, mints, item }: TransactionDocument): SolanaHistoryEntry => ({
    signature,
    slot,
    timestamp,
    mints,
    item: new JsonText(item),
  }),
);

/** The token accounts of a transaction that does not name the account. */
function tokenAccountsOf({ mentioned, item }: TransactionDocument): string[] {
  if (mentioned) return [];
  const { tokenTransfers } = new JsonText<EnhancedTransaction>(item).parse();
  return tokenTransfers.flatMap(({ fromTokenAccount, toTokenAccount }) =>
    [fromTokenAccount, toTokenAccount].filter(address => !!address),
  );
}

/** Each transaction once, newest first. */
function merged(lists: readonly (readonly TransactionDocument[])[]): TransactionDocument[] {
  const bySignature = new Map(lists.flat().map(document => [document.signature, document]));
  return [...bySignature.values()].sort((one, other) => other.chainOrder - one.chainOrder);
}

/** Newest transactions that are searched for a balance. */
const MAX_BALANCE_SEARCH = 8;

export function solanaTransactions(views: Views): SolanaTransactions {
  /** The inclusion of a transaction in any account's history; a final one if there is any. */
  const locate = async (network: SolanaNetwork, signature: string): Promise<TransactionDocument | null> => {
    const query = { filter: { signature }, limit: PAGE_SIZE };
    for await (const documents of views.scan<TransactionDocument>(TRANSACTIONS.name, query)) {
      const found = documents.filter(({ account }) => account.startsWith(`solana:${network}:`));
      if (found.length > 0) return found.find(({ finality }) => finality === 'finalized') ?? found[0]!;
    }
    return null;
  };

  return {
    async page(network, address, page) {
      return (await readPage(views, key(network, address), page)).map(entryOf);
    },

    async mentions(network, addresses, { limit, before }) {
      const older =
        before.length > 0
          ? { chainOrder: { lt: Math.min(...before.map(({ newerBound }) => newerBound)) } }
          : {};
      const lists = await Promise.all(
        addresses.map(async address => {
          const filter = { account: key(network, address), mentioned: true, ...older };
          const query = { filter, order: NEWEST_FIRST, limit };
          return (await views.find<TransactionDocument>(TRANSACTIONS.name, query)).documents;
        }),
      );
      const newest = lists.length === 1 ? lists[0]! : merged(lists);
      return newest.slice(0, limit).map(entryOf);
    },

    async place(network, signature) {
      const found = await locate(network, signature);
      if (found) {
        const { slot, chainOrder } = found;
        return { slot, newerBound: chainOrder, olderBound: chainOrder };
      }
      const query = { filter: { signature }, limit: PAGE_SIZE };
      for await (const documents of views.scan<OrphanDocument>(ORPHANS.name, query)) {
        const orphan = documents.find(({ account }) => account.startsWith(`solana:${network}:`));
        if (orphan) return placeInSlot(orphan.slot);
      }
      return null;
    },

    async inclusion(network, address, signature) {
      const id = `${key(network, address)}/${signature}`;
      const found = await views.get<TransactionDocument>(TRANSACTIONS.name, id);
      if (!found) return null;
      const { blockhash, finality } = found;
      return { blockhash, finality, item: entryOf(found).item.parse() };
    },

    async find(network, signature) {
      const found = await locate(network, signature);
      return found && { slot: found.slot, finality: found.finality, error: found.error };
    },

    async newest(network, address) {
      const readNewest = async (limit: number) => {
        const query = { filter: { account: key(network, address) }, order: NEWEST_FIRST, limit };
        return (await views.find<TransactionDocument>(TRANSACTIONS.name, query)).documents;
      };
      const [newest] = await readNewest(1);
      if (!newest) return null;
      const withBalance =
        newest.balance !== null
          ? newest
          : (await readNewest(MAX_BALANCE_SEARCH)).find(({ balance }) => balance !== null);
      const balance = withBalance ? { lamports: withBalance.balance!, slot: withBalance.slot } : null;
      const { signature, slot, blockhash } = newest;
      return { signature, slot, blockhash, balance, tokenAccounts: () => tokenAccountsOf(newest) };
    },

    async history(network, address) {
      const found = await views.get<HistoryDocument>(HISTORIES.name, key(network, address));
      if (!found) return null;
      const { watch, slot, since, mentionedSince, parts, complete, rollbackOffset } = found;
      return { watch, slot, since, mentionedSince, parts, complete, rollbackOffset };
    },
  };
}
