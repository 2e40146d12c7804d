import type { NftCollectionObserved } from '../../contracts/chain/ton-nft-observations';
import type { TokenContent } from '../../contracts/chain/ton-token-observations';
import type { NftItem } from '../../contracts/http/nfts';
import type { Observed } from '../../contracts/observation';
import { addressFormatter } from '../../projections/ton/format-address';
import { tonNfts, type TonNft } from '../../projections/ton/nfts/queries';
import type { AnyCall } from '../http/call';
import { readUntil } from '../read-until';
import type { TonAccount } from '../ton-account';
import { watchIfPossible } from '../watch-account';
import type { NftDeps } from './deps';
import { nftItemOf, type ReadContent } from './item';

export interface NftPage {
  readonly items: NftItem[];
  /** Null when there are no more. */
  readonly cursor: string | null;
}

interface PageQuery {
  readonly first: number;
  /** The cursor of the page before. */
  readonly after: string | undefined;
}

/** A page with what has to be read for it. */
interface Read {
  readonly page: NftPage;
  /** Requests what is missing. */
  readonly missing: readonly (() => Promise<void>)[];
  /** Requests what is stale. */
  readonly stale: readonly (() => Promise<void>)[];
  readonly isBackfilled: boolean;
}

/** An item belongs to its new owner some blocks after the transaction of the old one. */
const BLOCKS_TO_SEND = 1;

/**
 * The NFT items of an owner, who is watched: those that transactions named and that are theirs on the chain. What is missing, or
 * older than the transaction that named the item last, is waited for.
 */
export async function readNftPage(
  deps: NftDeps,
  account: TonAccount,
  query: PageQuery,
  call: AnyCall,
): Promise<NftPage> {
  const { views, transactions, items, collections, documents, waitMs, waitLimit } = deps;
  const { network, address } = account;
  const watched = await watchIfPossible(deps, account, call);
  const part = items.source({ network, owner: address, item: '' }).part!;
  const sources = [
    ...transactions.sources(network, address),
    tonNfts(views).source(network, address),
    { collection: items.collection, part },
    { collection: collections.collection },
    { collection: documents.collection },
  ];
  let last: Read | null = null;
  const { page, stale, missing } = await readUntil({
    read: async () => (last = await readPage(deps, account, query, watched)),
    isDone: read => read.isBackfilled && read.missing.length === 0,
    waitForChange: timeoutMs => views.waitForChange(sources, timeoutMs),
    request: async () => void (await Promise.all(last?.missing.map(request => request()) ?? [])),
    waitMs,
    waitLimit,
    signal: call.signal,
  });
  await Promise.all([...missing, ...stale].map(request => request()));
  return page;
}

async function readPage(
  deps: NftDeps,
  { network, address: owner }: TonAccount,
  { first, after }: PageQuery,
  watched: number | null,
): Promise<Read> {
  const { views, transactions, items, gatewayUrl } = deps;
  // The account is read first, so that the list includes what the backfill has published.
  const known = await transactions.account(network, owner);
  const isBackfilled = watched === null || (known?.backfilled ?? 0) >= watched;
  const candidates = [...(await tonNfts(views).ofOwner(network, owner))].sort((a, b) =>
    compare(cursorOf(b), cursorOf(a)),
  );
  const rest = after ? candidates.filter(nft => compare(cursorOf(nft), after) < 0) : candidates;
  const reading = createReading(deps);
  const format = addressFormatter(network);
  const page: NftItem[] = [];
  let walked = 0;
  while (walked < rest.length && page.length < first) {
    const batch = rest.slice(walked, walked + first - page.length);
    walked += batch.length;
    const subjects = batch.map(({ item }) => ({ network, owner, item }));
    const found = await items.findMany(subjects);
    for (const [i, nft] of batch.entries()) {
      const subject = subjects[i]!;
      const observed = found[i] ?? null;
      if (!observed || isOutdated(nft, observed)) reading.missing.push(() => items.request(subject));
      else if (items.isStale(observed.at)) reading.stale.push(() => items.request(subject));
      if (!observed?.data) continue;
      const { data, at } = observed;
      page.push(
        nftItemOf(
          {
            item: nft.item,
            owner,
            observed: data,
            at,
            ...(await reading.withDocument(data.content)),
            collection:
              data.collection === null
                ? null
                : await reading.collection({ network, address: data.collection }),
          },
          format,
          gatewayUrl,
        ),
      );
    }
  }
  const lastWalked = rest[walked - 1];
  const cursor = walked < rest.length && lastWalked ? cursorOf(lastWalked) : null;
  return { page: { items: page, cursor }, missing: reading.missing, stale: reading.stale, isBackfilled };
}

/** An observation from before the newest transaction that names the item, or from before it has arrived elsewhere. */
function isOutdated({ seqno, isSent }: TonNft, { height, data }: Observed<unknown>): boolean {
  if (seqno === null) return false;
  return (height ?? 0) < seqno + (isSent && data !== null ? BLOCKS_TO_SEND : 0);
}

/** Logical time and item: the order of pages. */
const cursorOf = ({ lt, item }: TonNft): string => `${BigInt(lt)}_${item}`;

function compare(a: string, b: string): number {
  const [[ltA, itemA], [ltB, itemB]] = [a.split('_'), b.split('_')] as [[string, string], [string, string]];
  if (ltA !== ltB) return BigInt(ltA) < BigInt(ltB) ? -1 : 1;
  return itemA < itemB ? -1 : Number(itemA > itemB);
}

/** Reads documents and collections, each once for a page, and collects what has to be requested. */
function createReading({ collections, documents }: NftDeps) {
  const missing: (() => Promise<void>)[] = [];
  const stale: (() => Promise<void>)[] = [];
  const read = new Map<string, Promise<ReadContent | null>>();

  async function withDocument(content: TokenContent): Promise<ReadContent> {
    const { uri } = content;
    if (uri === null) return { content, document: null };
    const observed = await documents.find(uri);
    if (!observed) missing.push(() => documents.request(uri));
    else if (documents.isStale(observed.at)) stale.push(() => documents.request(uri));
    return { content, document: observed?.data ?? null };
  }

  async function readCollection(
    subject: Parameters<NftDeps['collections']['find']>[0],
  ): Promise<ReadContent | null> {
    const observed: Observed<NftCollectionObserved> | null = await collections.find(subject);
    if (!observed) missing.push(() => collections.request(subject));
    else if (collections.isStale(observed.at)) stale.push(() => collections.request(subject));
    return observed?.data ? withDocument(observed.data.content) : null;
  }

  return {
    missing,
    stale,
    withDocument,
    collection(subject: Parameters<typeof readCollection>[0]): Promise<ReadContent | null> {
      const reading = read.get(subject.address) ?? readCollection(subject);
      read.set(subject.address, reading);
      return reading;
    },
  };
}
