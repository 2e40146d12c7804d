import type {
  NominatorObserved,
  NominatorRoundObserved,
  NominatorRoundSubject,
  StakingMemberSubject,
} from '../../../contracts/chain/ton-staking';
import type { ObservedReader } from '../../../contracts/observation/reader';
import type { RateLimits } from '../../../contracts/ports/rate-limits';
import type { TonStakes } from '../../../projections/ton/stakes/queries';
import type { TonTraces } from '../../../projections/ton/traces/queries';
import type { Logger } from 'pino';
import type { ListWait } from '../../reads/read-list';
import type { Watch } from '../../watch-account';
import type { RoundsDeps } from '../rounds/deps';

/** What the profits of members are read from. */
export interface NominatorDeps extends RoundsDeps, ListWait {
  readonly stakes: TonStakes;
  readonly traces: Pick<TonTraces, 'places' | 'source'>;
  readonly nominators: ObservedReader<StakingMemberSubject, NominatorObserved>;
  readonly nominatorRounds: ObservedReader<NominatorRoundSubject, NominatorRoundObserved>;
  /** Makes the indexer follow a member, and read its history. */
  readonly watch: Watch;
  /** Opened at the first use. */
  readonly limits: () => Promise<RateLimits>;
  readonly logger: Logger;
  readonly clock: () => Date;
}
