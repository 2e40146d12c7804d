import type { EnhancedTransaction } from '../../contracts/chain/solana-transaction';
import { jsonArray, type JsonText } from '../../contracts/json/json-text';
import type { SolanaNetwork } from '../../contracts/network/network';
import { Problem } from '../../contracts/problem/problem';
import {
  placeInSlot,
  solanaPageSources,
  solanaTransactions,
  type ChainPlace,
  type KnownHistory,
  type SolanaHistoryEntry,
  type SolanaTransactionsPage,
} from '../../projections/solana/transactions/queries';
import type { AnyCall } from '../http/call';
import { listReader, type ListWait, type ReadList } from '../reads/read-list';
import type { Reader } from '../watch-account';
import type { SolanaReadDeps } from './deps';

/** What a call reads with. */
export interface Reading {
  readonly readList: ReadList;
  readonly reader: Reader;
}

type Deps = Pick<SolanaReadDeps, 'views' | 'watch' | 'readOlder' | 'unread'>;

/** A signature of a request, and where the request has it. */
interface GivenSignature {
  readonly signature: string;
  /** JSON pointer. */
  readonly pointer: string;
}

/** A request for a page; `before` and `until` are signatures. */
export interface PageRequest extends Omit<SolanaTransactionsPage, 'before' | 'until'> {
  readonly before?: GivenSignature | undefined;
  readonly until?: GivenSignature | undefined;
}

/**
 * A page of an account's transactions, once it is known whole. One that goes back further than the history was read makes
 * the indexer read on.
 * @throws Problem 503 when something of it is missing; 400 when no transaction has `before` or `until` as its signature
 */
export async function readTransactions(
  deps: Deps,
  network: SolanaNetwork,
  address: string,
  { before, until, ...page }: PageRequest,
  reading: Reading,
): Promise<readonly SolanaHistoryEntry[]> {
  const places = placesIn(deps, network, reading.reader);
  return readHistories(deps, network, [address], reading.readList, {
    limit: page.limit,
    sinceOf: ({ since, mentionedSince }) => (page.mint === undefined ? mentionedSince : since),
    async read() {
      const bounds = { before: await places(before), until: await places(until) };
      const items = await solanaTransactions(deps.views).page(network, address, { ...page, ...bounds });
      return { items, downTo: bounds.until?.slot ?? null };
    },
  });
}

/**
 * A page of the transactions that mention any of the accounts, each once, newest first and older than all of `before`, once it is
 * known whole.
 * @throws Problem as `readTransactions`
 */
export async function readMentions(
  deps: Deps,
  network: SolanaNetwork,
  addresses: readonly string[],
  { limit, before: given }: { readonly limit: number; readonly before: readonly GivenSignature[] },
  reading: Reading,
): Promise<readonly SolanaHistoryEntry[]> {
  const places = placesIn(deps, network, reading.reader);
  return readHistories(deps, network, addresses, reading.readList, {
    limit,
    sinceOf: ({ mentionedSince }) => mentionedSince,
    async read() {
      const before = await Promise.all(given.map(each => places(each)));
      const items = await solanaTransactions(deps.views).mentions(network, addresses, { limit, before });
      return { items, downTo: null };
    },
  });
}

/**
 * Where the transactions of signatures are, or were before a fork dropped them. Of one in no history that is read, a node
 * knows the slot.
 */
function placesIn({ views, unread }: Deps, network: SolanaNetwork, reader: Reader) {
  async function placeOf<Given extends GivenSignature | undefined>(
    given: Given,
  ): Promise<Given extends undefined ? ChainPlace | undefined : ChainPlace>;
  async function placeOf(given: GivenSignature | undefined): Promise<ChainPlace | undefined> {
    if (!given) return undefined;
    const { signature, pointer } = given;
    const known = await solanaTransactions(views).place(network, signature);
    if (known) return known;
    const slot = await unread.slotOf({ network, signature }, reader);
    if (slot === null)
      throw Problem.invalid(
        pointer,
        'no transaction of the network has this signature; begin again without it',
        'unknown_signature',
      );
    return placeInSlot(slot);
  }
  return placeOf;
}

interface PageOfHistories {
  readonly limit: number;
  /** The slot after which everything that the page lists is known. */
  sinceOf(history: KnownHistory): number;
  /** `downTo`: only what is in later slots is asked for, or in this one; null: down to the first. */
  read(): Promise<{ readonly items: readonly SolanaHistoryEntry[]; readonly downTo: number | null }>;
}

async function readHistories(
  { views, watch, readOlder }: Deps,
  network: SolanaNetwork,
  addresses: readonly string[],
  readList: ReadList,
  page: PageOfHistories,
): Promise<readonly SolanaHistoryEntry[]> {
  const transactions = solanaTransactions(views);
  const unbounded = { bounded: false, byMint: false };
  const sources = addresses.flatMap(address => solanaPageSources(network, address, unbounded));
  const watches = await Promise.all(addresses.map(address => watch({ chain: 'solana', network, address })));
  let isRequested = false;
  const { items } = await readList('The history of the account', {
    async read() {
      // The histories are read first, so that the page includes what they cover.
      const known = await Promise.all(
        addresses.map(async (address, at) => {
          const history = await transactions.history(network, address);
          // What is stored of an earlier watch ends where that one did.
          return { address, watch: watches[at]!, history: history?.watch === watches[at] ? history : null };
        }),
      );
      const { items, downTo } = await page.read();
      const since = Math.max(
        ...known.map(({ history }) => (!history ? Infinity : history.complete ? -1 : page.sinceOf(history))),
      );
      const isWhole =
        since < 0 ||
        (downTo !== null && downTo > since) ||
        (items.length >= page.limit && items.every(({ slot }) => slot > since));
      if (!isWhole && !isRequested && since !== Infinity) {
        isRequested = true;
        await Promise.all(
          known.map(async ({ address, watch, history }) => {
            // The first part is read without being asked for.
            if (history && !history.complete && history.parts > 0)
              await readOlder(network, { address, watch }, history.parts);
          }),
        );
      }
      return { items, isWhole };
    },
    isWhole: ({ isWhole }) => isWhole,
    waitForChange: (timeoutMs, signal) => views.waitForChange(sources, timeoutMs, signal),
  });
  return items;
}

/**
 * As `readTransactions`, through the query cache. The account is watched also when the page is cached.
 * @throws Problem as `readTransactions`
 */
export async function transactionsPage(
  deps: Deps & ListWait,
  network: SolanaNetwork,
  address: string,
  page: PageRequest,
  call: Pick<AnyCall, 'signal'> & Reader,
): Promise<JsonText<EnhancedTransaction[]>> {
  const watch = await deps.watch({ chain: 'solana', network, address }, call);
  const { before, until, mint } = page;
  const bounded = before !== undefined || until !== undefined;
  const reading = { readList: listReader(deps, call), reader: call };
  return deps.views.cached(
    {
      key: ['Solana transactions', network, address, watch, page],
      sources: solanaPageSources(network, address, { bounded, byMint: mint !== undefined }),
    },
    async () => {
      const items = await readTransactions(deps, network, address, page, reading);
      return jsonArray(items.map(({ item }) => item));
    },
  );
}
