import type { Logger } from 'pino';
import type { TonContractSubject } from '../../contracts/chain/ton-contract';
import type { TonElection, TonElectionSubject } from '../../contracts/chain/ton-elections';
import type { LiquidMemberObserved, LiquidPoolObserved } from '../../contracts/chain/ton-liquid-staking';
import type { TonNetworkSubject } from '../../contracts/chain/ton-network-config';
import type { StakingStatusObserved } from '../../contracts/chain/ton-staking-status';
import type {
  PoolRoundObserved,
  PoolRoundSubject,
  StakeOfMember,
  StakingMemberRead,
  StakingMemberSubject,
} from '../../contracts/chain/ton-staking';
import type { TonNetwork } from '../../contracts/network/network';
import type { ObservedReader, UnrecordedReader } from '../../contracts/observation/reader';
import type { RateLimits } from '../../contracts/ports/rate-limits';
import type { TonTransactions } from '../../projections/ton/transactions/queries';
import type { Views } from '../../projections/views';
import type { Watch } from '../watch-account';

export interface StakingDeps {
  readonly status: ObservedReader<TonNetworkSubject, StakingStatusObserved>;
  /** Each election that the elector was ever seen to hold after its round. */
  readonly election: ObservedReader<TonElectionSubject, TonElection>;
  readonly views: Pick<Views, 'cached'>;
  readonly transactions: Pick<TonTransactions, 'page' | 'sources'>;
  /** Makes the indexer follow a member, so that its own movements are known at once. */
  readonly watch: Watch;
  /** What members have in the pools that are followed. */
  readonly members: ObservedReader<StakingMemberSubject, StakeOfMember>;
  /** The same of what is not stored. */
  readonly unread: UnrecordedReader<StakingMemberSubject, StakingMemberRead>;
  /** The ends of the rounds of the followed pools. */
  readonly rounds: ObservedReader<PoolRoundSubject, PoolRoundObserved>;
  readonly liquidPool: ObservedReader<TonNetworkSubject, LiquidPoolObserved>;
  /** What members have in the liquid pool. */
  readonly liquidMembers: ObservedReader<TonContractSubject, LiquidMemberObserved>;
  /** The same of accounts that are not known to have a wallet of its jetton. */
  readonly unreadLiquidMember: UnrecordedReader<TonContractSubject, LiquidMemberObserved>;
  /** The pools (raw) that are followed. */
  readonly pools: Readonly<Record<TonNetwork, readonly string[]>>;
  /** Opened at the first use. */
  readonly limits: () => Promise<RateLimits>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Logger;
}
