import { accountKey, type TonNetwork } from '../../../contracts/network/network';
import type { Source } from '../../../contracts/ports/documents';
import type { Views } from '../../views';
import { knownSince, type ReachedDocument } from '../reached';
import { newerSeqno, padLt } from '../transactions/documents';
import {
  JETTON_RECEIPTS,
  JETTON_TRANSFERS,
  jettonId,
  JETTONS,
  JETTONS_REACHED,
  type TonJettonDocument,
  type TonJettonReceiptDocument,
  type TonJettonTransferDocument,
} from './projection';

/** A jetton wallet of an owner. Addresses are raw. */
export interface TonJetton {
  readonly wallet: string;
  readonly master: string;
  /** The newest masterchain block with a transaction of the owner that names it; null when that is not known. */
  readonly seqno: number | null;
}

/** A jetton that others sent to an owner without a notification. */
export interface TonJettonReceipt {
  /** Raw. */
  readonly master: string;
  /** The newest masterchain block with such a transaction of theirs; null when that is not known. */
  readonly seqno: number | null;
}

export interface TonJettons {
  /** Those that the owner used last, in an order that does not change with their use. */
  ofOwner(network: TonNetwork, owner: string): Promise<readonly TonJetton[]>;
  /**
   * Logical times of the owner's transactions with a transfer of a jetton, newest first, at most `limit`.
   * @param query `from` is a logical time, inclusive
   */
  transfers(
    network: TonNetwork,
    owner: string,
    query: { readonly master: string; readonly limit: number; readonly from?: string | undefined },
  ): Promise<readonly string[]>;
  /** The masters (raw) that owners have used lately, those that most of them have used first. */
  recentMasters(network: TonNetwork): Promise<readonly string[]>;
  /** What others sent to an owner without a notification, each jetton once; the newest of it. */
  received(network: TonNetwork, owner: string): Promise<readonly TonJettonReceipt[]>;
  /** The sources of `ofOwner` and `received`. */
  sources(network: TonNetwork, owner: string): readonly Source[];
  /** As `knownSince` of what is reached: of this list, which is read after it. */
  knownSince(network: TonNetwork, owner: string, watch: number | null): Promise<bigint | null>;
}

/** Anyone can send jettons to anyone: who is sent more than these still has the newest. */
const MAX_JETTONS = 1_000;

/** Of an owner, by jetton and sender. */
const MAX_RECEIPTS = 100;

/** Of how many wallets used last the masters count as recent. */
const MAX_RECENT_WALLETS = 500;

const key = (network: TonNetwork, address: string): string => accountKey({ chain: 'ton', network, address });

export function tonJettons(views: Pick<Views, 'find' | 'get'>): TonJettons {
  const newest = async (network: TonNetwork, owner: string): Promise<readonly TonJettonDocument[]> => {
    const { documents } = await views.find<TonJettonDocument>(JETTONS.name, {
      filter: { account: key(network, owner) },
      order: [['lt', 'desc']],
      limit: MAX_JETTONS,
    });
    return documents;
  };

  return {
    async ofOwner(network, owner) {
      return (await newest(network, owner))
        .map(({ wallet, master, seqno }) => ({ wallet, master, seqno }))
        .sort((a, b) => (a.wallet < b.wallet ? -1 : 1));
    },
    async transfers(network, owner, { master, limit, from }) {
      const owned = (await newest(network, owner)).find(jetton => jetton.master === master);
      if (!owned) return [];
      const { documents } = await views.find<TonJettonTransferDocument>(JETTON_TRANSFERS.name, {
        filter: {
          jetton: jettonId(key(network, owner), owned.wallet),
          ...(from !== undefined && { lt: { lte: padLt(from) } }),
        },
        order: [['lt', 'desc']],
        limit,
      });
      return documents.map(({ lt }) => String(BigInt(lt)));
    },
    async recentMasters(network) {
      const { documents } = await views.find<TonJettonDocument>(JETTONS.name, {
        filter: { network },
        order: [['lt', 'desc']],
        limit: MAX_RECENT_WALLETS,
      });
      const owners = new Map<string, number>();
      for (const { master } of documents) owners.set(master, (owners.get(master) ?? 0) + 1);
      return [...owners].sort(([, a], [, b]) => b - a).map(([master]) => master);
    },
    async received(network, owner) {
      const { documents } = await views.find<TonJettonReceiptDocument>(JETTON_RECEIPTS.name, {
        filter: { receiver: key(network, owner) },
        order: [['lt', 'desc']],
        limit: MAX_RECEIPTS,
      });
      const seqnos = new Map<string, number | null>();
      for (const { master, seqno } of documents)
        seqnos.set(master, newerSeqno(seqnos.get(master) ?? null, seqno));
      return [...seqnos].map(([master, seqno]) => ({ master, seqno }));
    },
    sources: (network, owner) =>
      [JETTONS, JETTON_RECEIPTS, JETTONS_REACHED].map(({ name }) => ({
        collection: name,
        part: key(network, owner),
      })),
    async knownSince(network, owner, watch) {
      const found = await views.get<ReachedDocument>(JETTONS_REACHED.name, key(network, owner));
      return found && knownSince(found, watch);
    },
  };
}
