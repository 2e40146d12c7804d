import type { Logger } from 'pino';
import type {
  NftCollectionObserved,
  NftObserved,
  NftOwnerSubject,
} from '../../contracts/chain/ton-nft-observations';
import type { TonContractSubject } from '../../contracts/chain/ton-contract';
import type { TokenDocumentObserved } from '../../contracts/chain/ton-token-observations';
import type { ObservedReader } from '../../contracts/observation/reader';
import type { Views } from '../../projections/views';
import type { ListWait } from '../reads/read-list';
import type { Watch } from '../watch-account';

export interface NftDeps extends ListWait {
  readonly views: Pick<Views, 'find' | 'get' | 'cached' | 'waitForChange'>;
  /** Makes the indexer follow an account and backfill its history. */
  readonly watch: Watch;
  readonly items: ObservedReader<NftOwnerSubject, NftObserved>;
  readonly collections: ObservedReader<TonContractSubject, NftCollectionObserved>;
  /** By URI. */
  readonly documents: ObservedReader<string, TokenDocumentObserved>;
  /** Where a URI of a token can be shown from. */
  readonly gatewayUrl: (uri: string) => string;
  /** Where clients reach the program; null: where each has sent its request to. */
  readonly publicUrl: string | null;
  readonly logger: Logger;
  /** Milliseconds that a read waits for what it can be served without; default 2,500. */
  readonly waitMs?: number;
}
