import {
  liquidMemberObservation,
  unreadLiquidMember,
} from '../../../indexers/ton/observations/liquid-member';
import { liquidPoolObservation } from '../../../indexers/ton/observations/liquid-pool';
import { stakingMemberObservation, unreadStakingMember } from '../../../indexers/ton/observations/staking';
import { tonElectionObservation } from '../../../indexers/ton/observations/elections';
import { stakingStatusObservation } from '../../../indexers/ton/observations/staking-status';
import { tonTransactions } from '../../../projections/ton/transactions/queries';
import { stakingRoutes } from '../../../services/staking/routes';
import { port } from '../../config/settings';
import type { Feature } from '../feature';
import { rateLimits } from '../requests/rate-limits';
import { followedPools } from './ton-contracts';
import { watchOf } from './watch/account-watch';

const settings = { STAKING_INDEXER_PORT: port.optional() };

/** Staking of TON: what members have in nominator pools and in the liquid pool, and the staking indexer, which wallets expect at a host of its own. */
export const staking: Feature = {
  name: 'staking',
  settings,
  observations: [
    stakingMemberObservation,
    liquidPoolObservation,
    liquidMemberObservation,
    stakingStatusObservation,
  ],
  routes: deps =>
    stakingRoutes({
      views: deps.engine.views,
      transactions: tonTransactions(deps.engine.views),
      watch: watchOf(deps),
      members: deps.observed(stakingMemberObservation),
      unread: deps.unrecorded(unreadStakingMember),
      liquidPool: deps.observed(liquidPoolObservation),
      liquidMembers: deps.observed(liquidMemberObservation),
      unreadLiquidMember: deps.unrecorded(unreadLiquidMember),
      status: deps.observed(stakingStatusObservation),
      election: deps.observed(tonElectionObservation),
      pools: followedPools(deps.config),
      limits: () => deps.use(rateLimits),
      now: () => deps.clock().getTime(),
      logger: deps.logger,
    }),
  hosts(config) {
    const { STAKING_INDEXER_PORT: given } = config.of(settings);
    return given === undefined
      ? []
      : [{ role: 'api', basePath: '/staking-indexer', port: given, setting: 'STAKING_INDEXER_PORT' }];
  },
};
