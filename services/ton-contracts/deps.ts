import type { TonContractObserved, TonContractSubject } from '../../contracts/chain/ton-contract';
import type { TokenDocumentObserved } from '../../contracts/chain/ton-token-observations';
import type { TonNetwork } from '../../contracts/network';
import type { ObservedReader, Reading } from '../../contracts/observation';
import type { RateLimits } from '../../contracts/ports/rate-limits';
import type { ReadThroughReader } from '../../contracts/read-through';
import type { Views } from '../../projections/views';

export interface TonContractDeps {
  readonly views: Pick<Views, 'cached' | 'count'>;
  readonly contracts: ObservedReader<TonContractSubject, TonContractObserved>;
  /** Reads a contract that was not observed so far. */
  readonly look: ReadThroughReader<TonContractSubject, Reading<TonContractObserved>>;
  /** What the documents of jettons say, by their URI. */
  readonly documents: ObservedReader<string, TokenDocumentObserved>;
  /** Where a URI of a jetton can be shown from. */
  readonly gatewayUrl: (uri: string) => string;
  /** Opened at the first use. */
  readonly limits: () => Promise<RateLimits>;
  /** Contracts that may be stored; 0 is no limit. Others are read again after they are no longer cached. */
  readonly maxStored: number;
  /** Staking pools (raw) that are open to every wallet; the first is recommended. */
  readonly pools: Readonly<Record<TonNetwork, readonly string[]>>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
