import type { TonContractSubject } from '../../../contracts/chain/ton-contract';
import type {
  PoolPartiesObserved,
  PoolRoundObserved,
  PoolRoundSubject,
} from '../../../contracts/chain/ton-staking';
import type { TonNetwork } from '../../../contracts/network/network';
import type { ObservedReader } from '../../../contracts/observation/reader';
import type { TonTransactions } from '../../../projections/ton/transactions/queries';
import type { Views } from '../../../projections/views';

/** What the rounds of pools are read from. */
export interface RoundsDeps {
  readonly views: Pick<Views, 'cached' | 'waitForChange' | 'subscribe'>;
  readonly transactions: Pick<TonTransactions, 'page' | 'account' | 'sources'>;
  readonly parties: ObservedReader<TonContractSubject, PoolPartiesObserved>;
  readonly rounds: ObservedReader<PoolRoundSubject, PoolRoundObserved>;
  /** The pools (raw) that are followed. */
  readonly pools: Readonly<Record<TonNetwork, readonly string[]>>;
}
