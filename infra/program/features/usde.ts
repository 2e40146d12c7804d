import { unreadUsdeMember, usdeMemberObservation } from '../../../indexers/ton/observations/usde-member';
import {
  dailySharePriceObservation,
  sharePriceObservation,
} from '../../../indexers/ton/observations/usde-price';
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
      limits: () => deps.use(rateLimits),
    }),
  workers: [
    jobHandlers('usde', deps => [
      signal =>
        keepSharePrices(
          { ...prices(deps), networks: deps.networks.followed.ton, logger: deps.logger },
          signal,
        ),
    ]),
  ],
};

const prices = ({ observed }: ProgramDeps) => ({
  price: observed(sharePriceObservation),
  daily: observed(dailySharePriceObservation),
});
