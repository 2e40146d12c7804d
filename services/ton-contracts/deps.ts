import type { TonContractSubject } from '../../contracts/chain/ton-contract';
import type { StakingPoolObserved } from '../../contracts/chain/ton-staking';
import type { TokenDocumentObserved } from '../../contracts/chain/ton-token-observations';
import type { TonNetwork } from '../../contracts/network/network';
import type { ObservedReader } from '../../contracts/observation/reader';
import type { ContractReaderDeps } from '../reads/read-ton-contract';

export interface TonContractDeps extends ContractReaderDeps {
  /** What the documents of jettons say, by their URI. */
  readonly documents: ObservedReader<string, TokenDocumentObserved>;
  /** Where a URI of a jetton can be shown from. */
  readonly gatewayUrl: (uri: string) => string;
  /** Where clients reach the program; null: where each has sent its request to. */
  readonly publicUrl: string | null;
  /** Staking pools (raw) that the operator offers to every wallet, there or not. */
  readonly trustedPools: Readonly<Record<TonNetwork, readonly string[]>>;
  /** All that may be offered, which begin with these. */
  readonly pools: Readonly<Record<TonNetwork, readonly string[]>>;
  /** Whether there is one at an address. */
  readonly observedPools: ObservedReader<TonContractSubject, StakingPoolObserved>;
}
