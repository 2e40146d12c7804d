import type { TonContractSubject } from '../../contracts/chain/ton-contract';
import type { TokenContent } from '../../contracts/chain/ton-token-observations';
import { addressKey } from '../../contracts/http/address-key';
import type { NftItem } from '../../contracts/http/tokens/nfts';
import { accountKey } from '../../contracts/network/network';
import type { Observed, ObservedReader } from '../../contracts/observation/reader';
import { tonNfts, type TonNft } from '../../projections/ton/nfts/queries';
import type { AnyCall } from '../http/call';
import { createOwnedTokens, stalenessOf } from '../owned-tokens';
import type { TokenImages } from '../token-attributes';
import type { TonAccount } from '../../contracts/account/ton-account';
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
  /** Whether every item was read at least once. */
  readonly isWhole: boolean;
  /** Requests what is missing. */
  readonly missing: readonly (() => Promise<void>)[];
  /** What was found, by the instant (RFC 3339) of its observation, and how it is requested again. */
  readonly found: readonly Found[];
}

interface Found {
  readonly reader: Pick<ObservedReader<never, unknown>, 'isStale'>;
  readonly at: string;
  request(): Promise<void>;
}

/** An item belongs to its new owner some blocks after the transaction of the old one. */
const BLOCKS_TO_SEND = 1;
/** Ten minutes: what is delivered later than that is given up elsewhere as well. */
const MAX_BLOCKS_TO_SEND = 1_500;

/**
 * Reads pages of the NFT items of an owner: those that transactions named, their own or others', and that are theirs on the chain.
 * One is outdated that was read before the transaction that named the item last.
 */
export function createNftPages(
  deps: NftDeps,
): (account: TonAccount, query: PageQuery, call: AnyCall) => Promise<{ readonly data: NftPage }> {
  const { views, items, collections, documents } = deps;
  const read = createOwnedTokens(deps);

  return (account, { first, after }, call) => {
    const { network, address } = account;
    const images = { gatewayUrl: deps.gatewayUrl, api: deps.publicUrl ?? call.origin };
    const find = () => readPage(deps, account, { first, after }, images, addressKey(call.ip));
    return read(
      {
        account,
        key: ['TON NFTs', first, after ?? null, images.api],
        sources: [
          ...tonNfts(views).sources(network, address),
          { collection: items.collection, part: accountKey({ chain: 'ton', network, address }) },
          { collection: collections.collection },
          { collection: documents.collection },
        ],
        knownSince: watch => tonNfts(views).knownSince(network, address, watch),
        async find() {
          const { page, isWhole, missing, found } = await find();
          return {
            served: { data: page },
            isEmpty: page.items.length === 0,
            isWhole,
            isComplete: missing.length === 0,
            isStale: stalenessOf(found.map(({ reader, at }) => [reader, [at]])),
          };
        },
        async refresh() {
          const { missing, found } = await find();
          const stale = found.filter(({ reader, at }) => reader.isStale(at));
          await Promise.all([...missing.map(request => request()), ...stale.map(each => each.request())]);
        },
      },
      call,
    );
  };
}

async function readPage(
  deps: NftDeps,
  { network, address: owner }: TonAccount,
  { first, after }: PageQuery,
  images: TokenImages,
  caller: string,
): Promise<Read> {
  const { views, items } = deps;
  const candidates = [...(await tonNfts(views).ofOwner(network, owner))].sort((a, b) =>
    compare(cursorOf(b), cursorOf(a)),
  );
  const rest = after ? candidates.filter(nft => compare(cursorOf(nft), after) < 0) : candidates;
  const reading = createReading(deps, caller);
  const page: NftItem[] = [];
  let walked = 0;
  let isWhole = true;
  while (walked < rest.length && page.length < first) {
    const batch = rest.slice(walked, walked + first - page.length);
    walked += batch.length;
    const subjects = batch.map(({ item }) => ({ network, owner, item }));
    const found = await items.findMany(subjects);
    for (const [i, nft] of batch.entries()) {
      const observed = found[i] ?? null;
      isWhole &&= observed !== null;
      if (observed && isRefuted(nft, observed)) continue;
      reading.note(items, subjects[i]!, observed && isOutdated(nft, observed) ? null : observed);
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
          network,
          images,
        ),
      );
    }
  }
  const lastWalked = rest[walked - 1];
  const cursor = walked < rest.length && lastWalked ? cursorOf(lastWalked) : null;
  return { page: { items: page, cursor }, isWhole, missing: reading.missing, found: reading.found };
}

/** An observation from before the newest transaction that names the item, or from before the item has carried out a transfer. */
function isOutdated({ seqno, transfer }: TonNft, { height, data }: Observed<unknown>): boolean {
  if (seqno === null) return false;
  const isToCome = transfer !== null && (transfer === 'to_owner') === (data === null);
  return (height ?? 0) < seqno + (isToCome ? BLOCKS_TO_SEND : 0);
}

/**
 * The item had another owner when a transfer by others was long carried out. It is not read again: anyone can send a transfer of
 * anything.
 */
function isRefuted({ seqno, transfer }: TonNft, { height, data }: Observed<unknown>): boolean {
  return (
    transfer === 'to_owner' && data === null && seqno !== null && (height ?? 0) >= seqno + MAX_BLOCKS_TO_SEND
  );
}

/** Logical time and item: the order of pages. */
const cursorOf = ({ lt, item }: TonNft): string => `${BigInt(lt)}_${item}`;

function compare(a: string, b: string): number {
  const [[ltA, itemA], [ltB, itemB]] = [a.split('_'), b.split('_')] as [[string, string], [string, string]];
  if (ltA !== ltB) return BigInt(ltA) < BigInt(ltB) ? -1 : 1;
  return itemA < itemB ? -1 : Number(itemA > itemB);
}

/**
 * Reads documents and collections, each once for a page, and collects what was found and what has to be requested.
 * @param caller who has the documents read
 */
function createReading({ collections, documents }: NftDeps, caller: string) {
  const missing: (() => Promise<void>)[] = [];
  const found: Found[] = [];
  const read = new Map<string, Promise<ReadContent | null>>();

  function note<Subject>(
    reader: ObservedReader<Subject, unknown>,
    subject: Subject,
    observed: Observed<unknown> | null,
  ): void {
    const request = () => reader.request(subject, { caller });
    if (observed) found.push({ reader, at: observed.at, request });
    else missing.push(request);
  }

  async function withDocument(content: TokenContent): Promise<ReadContent> {
    const { uri } = content;
    if (uri === null) return { content, document: null };
    const observed = await documents.find(uri);
    note(documents, uri, observed);
    return { content, document: observed?.data ?? null };
  }

  async function readCollection(subject: TonContractSubject): Promise<ReadContent | null> {
    const observed = await collections.find(subject);
    note(collections, subject, observed);
    return observed?.data ? withDocument(observed.data.content) : null;
  }

  return {
    missing,
    found,
    note,
    withDocument,
    collection(subject: TonContractSubject): Promise<ReadContent | null> {
      const reading = read.get(subject.address) ?? readCollection(subject);
      read.set(subject.address, reading);
      return reading;
    },
  };
}
