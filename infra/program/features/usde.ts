import { unreadUsdeMember, usdeMemberObservation } from '../../../indexers/ton/observations/usde-member';
import {
  dailySharePriceObservation,
  sharePriceObservation,
} from '../../../indexers/ton/observations/usde-price';
import { tonTransactions } from '../../../projections/ton/transactions/queries';
import { keepSharePrices } from '../../../services/usde/keep-prices';
import { usdeRoutes } from '../../../services/usde/routes';
import type { Feature, ProgramDeps } from '../feature';
import { rateLimits } from '../requests/rate-limits';
import { jobHandlers } from '../roles/jobs';

/** USDe that is staked in its vault: the price of a share, its yield, and what accounts have. */
export const usde: Feature = {
  name: 'usde',
  observations: [sharePriceObservation, dailySharePriceObservation, usdeMemberObservation],
  routes: deps =>
    usdeRoutes({
      ...prices(deps),
      members: deps.observed(usdeMemberObservation),
      unread: deps.unrecorded(unreadUsdeMember),
      transactions: tonTransactions(deps.engine.views),
      limits: () => deps.use(rateLimits),
      clock: deps.clock,
    }),
  workers: [
    jobHandlers('usde', deps => {
      const { networks, engine, logger, clock } = deps;
      const keeping = { ...prices(deps), views: engine.views, networks: networks.followed.ton, logger };
      // Without any it would end at once, and be restarted for ever.
      if (keeping.networks.length === 0) return [];
      return [signal => keepSharePrices({ ...keeping, now: () => clock().getTime() }, signal)];
    }),
  ],
};

const prices = ({ observed }: ProgramDeps) => ({
  price: observed(sharePriceObservation),
  daily: observed(dailySharePriceObservation),
});
