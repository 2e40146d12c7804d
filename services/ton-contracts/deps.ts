import type { TokenDocumentObserved } from '../../contracts/chain/ton-token-observations';
import type { TonNetwork } from '../../contracts/network/network';
import type { ObservedReader } from '../../contracts/observation/observation';
import type { ContractReaderDeps } from '../read-ton-contract';

export interface TonContractDeps extends ContractReaderDeps {
  /** What the documents of jettons say, by their URI. */
  readonly documents: ObservedReader<string, TokenDocumentObserved>;
  /** Where a URI of a jetton can be shown from. */
  readonly gatewayUrl: (uri: string) => string;
  /** Where clients reach the program; null: where each has sent its request to. */
  readonly publicUrl: string | null;
  /** Staking pools (raw) that are open to every wallet; the first is recommended. */
  readonly pools: Readonly<Record<TonNetwork, readonly string[]>>;
}
