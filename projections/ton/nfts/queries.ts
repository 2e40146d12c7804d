import { accountKey, type TonNetwork } from '../../../contracts/network';
import type { Source } from '../../../contracts/ports/documents';
import type { Views } from '../../views';
import { NFTS, type TonNftDocument } from './projection';

export type TonNft = Pick<TonNftDocument, 'item' | 'lt' | 'isSent' | 'seqno'>;

export interface TonNfts {
  /** Those that may belong to an owner, the newest first. */
  ofOwner(network: TonNetwork, owner: string): Promise<readonly TonNft[]>;
  /** The source of `ofOwner`. */
  source(network: TonNetwork, owner: string): Source;
}

/** Anyone can send items to anyone: who is sent more than these still has the newest. */
const MAX_ITEMS = 1_000;

const key = (network: TonNetwork, address: string): string => accountKey({ chain: 'ton', network, address });

export function tonNfts(views: Pick<Views, 'find'>): TonNfts {
  return {
    async ofOwner(network, owner) {
      const { documents } = await views.find<TonNftDocument>(NFTS.name, {
        filter: { account: key(network, owner) },
        order: [['lt', 'desc']],
        limit: MAX_ITEMS,
      });
      return documents;
    },
    source: (network, owner) => ({ collection: NFTS.name, part: key(network, owner) }),
  };
}
