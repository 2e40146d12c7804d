import type { z } from 'zod';
import { tonContractObservation, unreadTonContract } from '../../../indexers/ton/observations/contract';
import { tonContractRoutes } from '../../../services/ton-contracts/routes';
import type { Feature } from '../feature';
import { rateLimits } from '../rate-limits';
import { count, type Config } from '../settings';

const settings = { CONTRACT_LIMIT: count.default(1_000_000) };

type TonContractsConfig = Config & z.output<z.ZodObject<typeof settings>>;

/** Contracts of TON: what they are, and the state of those of jettons. */
export const tonContracts: Feature<TonContractsConfig> = {
  name: 'ton-contracts',
  settings,
  observations: [tonContractObservation],
  routes: deps =>
    tonContractRoutes({
      views: deps.engine.views,
      contracts: deps.observed(tonContractObservation),
      look: deps.readThrough(unreadTonContract),
      limits: () => deps.use(rateLimits),
      maxStored: deps.config.CONTRACT_LIMIT,
      now: () => deps.clock().getTime(),
    }),
};
