import type { EnhancedTransaction } from '../../contracts/chain/solana-transaction';
import { jsonArray, type JsonText } from '../../contracts/json-text';
import type { SolanaNetwork } from '../../contracts/network';
import {
  solanaPageSources,
  solanaTransactions,
  type MentionsPage,
  type SolanaHistoryEntry,
  type SolanaTransactionsPage,
} from '../../projections/solana/transactions/queries';
import { readUntil } from '../read-until';
import type { Reader } from '../watch-account';
import { notReady, type SolanaReadDeps } from './deps';

export interface ReadPage {
  readonly items: readonly SolanaHistoryEntry[];
  /** False when the wait ended although more was missing: the page ends before the history does. */
  readonly complete: boolean;
}

type Deps = Pick<SolanaReadDeps, 'views' | 'watch' | 'readOlder' | 'waitMs' | 'waitLimit'>;

/**
 * A page of an account's transactions. While its history is being read, waits for a full page up to `waitMs`, then
 * returns what there is. A page that goes back further than the history was read makes the indexer read on; it ends where
 * something may be missing.
 * @throws Problem 503 when nothing of the account's history has been read so far
 */
export async function readTransactions(
  deps: Deps,
  network: SolanaNetwork,
  address: string,
  page: SolanaTransactionsPage,
): Promise<ReadPage> {
  const transactions = solanaTransactions(deps.views);
  const { limit, until } = page;
  return readHistories(deps, network, [address], {
    limit,
    async read() {
      const items = await transactions.page(network, address, page);
      return { items, exhausted: items.length < limit ? [address] : [] };
    },
    async endsAfter(slot) {
      const found = until === undefined ? null : await transactions.find(network, until);
      return found !== null && found.slot > slot;
    },
  });
}

/**
 * A page of the transactions that mention any of the accounts, each once, newest first and older than all of `before`.
 * Waits, and ends where something may be missing, as `readTransactions`.
 * @throws Problem 503 when nothing of the accounts' history has been read so far
 */
export async function readMentions(
  deps: Deps,
  network: SolanaNetwork,
  addresses: readonly string[],
  page: { readonly limit: number; readonly before: readonly string[] },
): Promise<ReadPage> {
  const transactions = solanaTransactions(deps.views);
  return readHistories(deps, network, addresses, {
    limit: page.limit,
    read: () => transactions.mentions(network, addresses, page),
    endsAfter: async () => false,
  });
}

interface PageOfHistories {
  readonly limit: number;
  read(): Promise<MentionsPage>;
  /** True when only transactions after the slot are asked for. */
  endsAfter(slot: number): Promise<boolean>;
}

async function readHistories(
  { views, watch, readOlder, waitMs, waitLimit }: Deps,
  network: SolanaNetwork,
  addresses: readonly string[],
  page: PageOfHistories,
): Promise<ReadPage> {
  const transactions = solanaTransactions(views);
  const unbounded = { bounded: false, byMint: false };
  const sources = addresses.flatMap(address => solanaPageSources(network, address, unbounded));
  const watches = await Promise.all(addresses.map(address => watch({ chain: 'solana', network, address })));
  let isRequested = false;
  let isOutdated = false;
  const found = await readUntil({
    async read(): Promise<ReadPage & { readonly isCut: boolean }> {
      // The histories are read first, so that the page includes what they cover.
      const read = async (address: string, at: number) => {
        const known = await transactions.history(network, address);
        const watch = watches[at]!;
        return { address, watch, history: known?.watch === watch ? known : null };
      };
      const histories = await Promise.all(addresses.map(read));
      const { items, exhausted } = await page.read();
      const unread = histories.filter(({ history }) => history === null);
      // What is stored of an earlier watch ends where that one did.
      isOutdated = unread.some(({ watch }) => watch > 1);
      if (isOutdated) return { items: [], complete: false, isCut: false };
      if (unread.length > 0)
        return { items, complete: !unread.some(({ address }) => exhausted.includes(address)), isCut: false };
      const partial = histories.flatMap(({ address, history }) =>
        history && !history.complete ? [{ address, ...history }] : [],
      );
      const since = Math.max(-1, ...partial.map(history => history.since));
      const known = items.filter(({ slot }) => slot > since);
      const isFull = items.length >= page.limit;
      if (since < 0 || (isFull && known.length === items.length) || (await page.endsAfter(since)))
        return { items, complete: true, isCut: false };
      if (!isRequested)
        await Promise.all(partial.map(({ parts, ...account }) => readOlder(network, account, parts)));
      isRequested = true;
      return { items: known, complete: false, isCut: true };
    },
    isDone: ({ complete }) => complete,
    waitForChange: timeoutMs => views.waitForChange(sources, timeoutMs),
    waitMs,
    waitLimit,
  });
  const { isCut, ...read } = found;
  if (read.items.length > 0 || read.complete || isCut) return read;
  if (isOutdated) throw notReady('The history of the account');
  const newest = await Promise.all(addresses.map(address => transactions.newest(network, address)));
  if (newest.every(each => each === null)) throw notReady('The history of the account');
  return read;
}

/**
 * As `readTransactions`, through the query cache. The account is watched also when the page is cached.
 * @throws Problem 503 also when the page would end before the history does, which its reader would take for its end
 */
export async function transactionsPage(
  deps: SolanaReadDeps,
  network: SolanaNetwork,
  address: string,
  page: SolanaTransactionsPage,
  reader?: Reader,
): Promise<JsonText<EnhancedTransaction[]>> {
  const watch = await deps.watch({ chain: 'solana', network, address }, reader);
  const { before, until, mint } = page;
  const bounded = before !== undefined || until !== undefined;
  return deps.views.cached(
    {
      key: ['Solana transactions', network, address, watch, page],
      sources: solanaPageSources(network, address, { bounded, byMint: mint !== undefined }),
    },
    async () => {
      const { items, complete } = await readTransactions(deps, network, address, page);
      if (!complete) throw notReady('The whole history of the account');
      return jsonArray(items.map(({ item }) => item));
    },
  );
}
