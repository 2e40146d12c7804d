import { accountKey, type TonNetwork } from '../../../contracts/network/network';
import type { Source } from '../../../contracts/ports/documents';
import type { Views } from '../../views';
import { knownSince, type ReachedDocument } from '../reached';
import { newerSeqno } from '../transactions/documents';
import {
  NFT_TRANSFERS,
  NFTS,
  NFTS_REACHED,
  type TonNftDocument,
  type TonNftTransferDocument,
} from './projection';

/** An item that may belong to an owner. */
export interface TonNft {
  /** Raw. */
  readonly item: string;
  /** Logical time of the newest transaction that names it, padded. */
  readonly lt: string;
  /** The newest masterchain block with such a transaction; null when that is not known. */
  readonly seqno: number | null;
  /** Set when that transaction asks the item for another owner, which it has some blocks later. */
  readonly transfer: 'to_owner' | 'from_owner' | null;
}

export interface TonNfts {
  /** Those that may belong to an owner, the newest of them, in any order. */
  ofOwner(network: TonNetwork, owner: string): Promise<readonly TonNft[]>;
  /** The sources of `ofOwner`. */
  sources(network: TonNetwork, owner: string): readonly Source[];
  /** As `knownSince` of what is reached: of this list, which is read after it. */
  knownSince(network: TonNetwork, owner: string, watch: number | null): Promise<bigint | null>;
}

/** Anyone can send items to anyone: who is sent more than these still has the newest. */
const MAX_ITEMS = 1_000;
/** Of those that transactions of others name alone. Anyone can make these up, and they displace none of the owner's own. */
const MAX_TRANSFERS = 200;

const key = (network: TonNetwork, address: string): string => accountKey({ chain: 'ton', network, address });

export function tonNfts(views: Pick<Views, 'find' | 'get'>): TonNfts {
  /** From the owner's own transactions. */
  async function named(network: TonNetwork, owner: string): Promise<TonNft[]> {
    const { documents } = await views.find<TonNftDocument>(NFTS.name, {
      filter: { account: key(network, owner) },
      order: [['lt', 'desc']],
      limit: MAX_ITEMS,
    });
    return documents.map(({ item, lt, seqno, isSent }) => ({
      item,
      lt,
      seqno,
      transfer: isSent ? 'from_owner' : null,
    }));
  }

  /** From transactions of others. */
  async function transferred(network: TonNetwork, owner: string): Promise<TonNft[]> {
    const { documents } = await views.find<TonNftTransferDocument>(NFT_TRANSFERS.name, {
      filter: { newOwner: key(network, owner) },
      order: [['lt', 'desc']],
      limit: MAX_TRANSFERS,
    });
    return documents.map(({ item, lt, seqno }) => ({ item, lt, seqno, transfer: 'to_owner' }));
  }

  return {
    async ofOwner(network, owner) {
      const found = await Promise.all([named(network, owner), transferred(network, owner)]);
      const items = new Map<string, TonNft>();
      for (const nft of found.flat()) {
        const other = items.get(nft.item);
        const newest = other && other.lt > nft.lt ? other : nft;
        items.set(nft.item, { ...newest, seqno: newerSeqno(other?.seqno ?? null, nft.seqno) });
      }
      return [...items.values()];
    },
    sources: (network, owner) =>
      [NFTS, NFT_TRANSFERS, NFTS_REACHED].map(({ name }) => ({
        collection: name,
        part: key(network, owner),
      })),
    async knownSince(network, owner, watch) {
      const found = await views.get<ReachedDocument>(NFTS_REACHED.name, key(network, owner));
      return found && knownSince(found, watch);
    },
  };
}
