import {
  liquidMemberObservation,
  unreadLiquidMember,
} from '../../../indexers/ton/observations/liquid-member';
import { liquidPoolObservation } from '../../../indexers/ton/observations/liquid-pool';
import type { Bound } from '../../../contracts/bound';
import { UNREAD_STAKE_MS } from '../../../contracts/chain/ton-staking';
import { MAX_POOLS } from '../../../contracts/http/staking/member';
import { stakingMemberObservation, unreadStakingMember } from '../../../indexers/ton/observations/staking';
import { tonElectionObservation } from '../../../indexers/ton/observations/elections';
import { stakingStatusObservation } from '../../../indexers/ton/observations/staking-status';
import { tonDecoder } from '../../../indexers/ton/decode/decode';
import {
  nominatorObservation,
  nominatorRoundObservation,
} from '../../../indexers/ton/observations/nominators';
import {
  poolPartiesObservation,
  poolRoundObservation,
} from '../../../indexers/ton/observations/staking-rounds';
import { tonStakesProjection } from '../../../projections/ton/stakes/projection';
import { tonStakes } from '../../../projections/ton/stakes/queries';
import { tonTraces } from '../../../projections/ton/traces/queries';
import { tonTransactions } from '../../../projections/ton/transactions/queries';
import { MAX_ROUNDS } from '../../../services/staking/nominator/stakes-after-rounds';
import { stakingIndexerRoutes } from '../../../services/staking/indexer-routes';
import { stakingRoutes } from '../../../services/staking/routes';
import { keepMembers } from '../../../services/staking/members/keep-members';
import { keepRounds } from '../../../services/staking/rounds/keep-rounds';
import { port } from '../../config/settings';
import type { Feature, ProgramDeps } from '../feature';
import { rateLimits } from '../requests/rate-limits';
import { exclusively, jobHandlers } from '../roles/jobs';
import { stakingCommands } from './staking/commands';
import { followedPools } from './ton-contracts';
import { watchOf } from './watch/account-watch';

const settings = { STAKING_INDEXER_PORT: port.optional() };

const STORED_STAKES: Bound = {
  of: 'stakes of the members of nominator pools',
  owner: 'the members',
  max: `one of each member, and one after each of its last ${MAX_ROUNDS.toLocaleString('en')} rounds`,
  share: 'within `RATE_LIMIT_CONTRACT_READS`, where ten rounds count as one read',
  beyond: '429 `rate_limited`',
  note: 'Accounts that have moved nothing, and pools that are not followed, leave nothing.',
  attack: {
    file: 'test/staking/indexer.test.ts',
    test: 'a thousand pools that somebody made up leave nothing behind, and an honest reader its answer',
  },
};

const READ_STAKES: Bound = {
  of: 'stakes that are not stored, which a node is asked for, and then served from memory',
  owner: 'all who ask',
  max: `${MAX_POOLS} in a request, each for ${UNREAD_STAKE_MS / 1_000} seconds`,
  share:
    '`RATE_LIMIT_CONTRACT_READS`, where each counts once for as long as it is in memory, and ten of an account in pools that are followed as one; callers take turns, each with its oldest read',
  beyond: '429 `rate_limited`',
  attack: {
    file: 'test/staking/member-shares.test.ts',
    test: 'a stranger has as many stakes read as it may, however often it asks, and an honest member is answered',
  },
};

/** Staking of TON: what members have in nominator pools and in the liquid pool, and the staking indexer, which wallets expect at a host of its own. */
export const staking: Feature = {
  name: 'staking',
  settings,
  bounds: [STORED_STAKES, READ_STAKES],
  commands: stakingCommands,
  projections: [tonStakesProjection(tonDecoder)],
  observations: [
    stakingMemberObservation,
    liquidPoolObservation,
    liquidMemberObservation,
    stakingStatusObservation,
    poolPartiesObservation,
    poolRoundObservation,
    nominatorObservation,
    nominatorRoundObservation,
  ],
  routes: deps => [
    ...stakingRoutes({
      ...shared(deps),
      members: deps.observed(stakingMemberObservation),
      unread: deps.unrecorded(unreadStakingMember),
      rounds: deps.observed(poolRoundObservation),
      liquidPool: deps.observed(liquidPoolObservation),
      liquidMembers: deps.observed(liquidMemberObservation),
      unreadLiquidMember: deps.unrecorded(unreadLiquidMember),
      status: deps.observed(stakingStatusObservation),
      election: deps.observed(tonElectionObservation),
      now: () => deps.clock().getTime(),
    }),
    ...stakingIndexerRoutes({
      ...shared(deps),
      ...roundReaders(deps),
      stakes: tonStakes(deps.engine.views),
      traces: tonTraces(deps.engine.views),
      nominators: deps.observed(nominatorObservation),
      nominatorRounds: deps.observed(nominatorRoundObservation),
      clock: deps.clock,
      ...deps.readWait,
    }),
  ],
  workers: [
    jobHandlers('staking', deps => {
      const keeping = {
        ...shared(deps),
        ...roundReaders(deps),
        members: deps.observed(stakingMemberObservation),
        batches: deps.batches(stakingMemberObservation),
        networks: deps.networks.followed.ton,
      };
      // Without any it would end at once, and be restarted for ever.
      if (keeping.networks.length === 0) return [];
      return [
        exclusively(deps, 'staking-rounds', signal => keepRounds(keeping, signal)),
        exclusively(deps, 'staking-members', signal => keepMembers(keeping, signal)),
      ];
    }),
  ],
  hosts(config) {
    const { STAKING_INDEXER_PORT: given } = config.of(settings);
    return given === undefined
      ? []
      : [{ role: 'api', basePath: '/staking-indexer', port: given, setting: 'STAKING_INDEXER_PORT' }];
  },
};

const shared = (deps: ProgramDeps) => ({
  views: deps.engine.views,
  transactions: tonTransactions(deps.engine.views),
  watch: watchOf(deps),
  pools: followedPools(deps.config),
  limits: () => deps.use(rateLimits),
  logger: deps.logger,
});

/** What the rounds of pools are read from. */
export function roundReaders({ observed }: Pick<ProgramDeps, 'observed'>) {
  return { parties: observed(poolPartiesObservation), rounds: observed(poolRoundObservation) };
}
