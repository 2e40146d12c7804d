import { oldWalletsOfKey } from '../../../indexers/ton/observations/old-wallets';
import { oldWalletRoutes } from '../../../services/old-wallets/routes';
import type { Feature } from '../feature';
import { rateLimits } from '../requests/rate-limits';

/** The wallets of a key before v4. */
export const oldWallets: Feature = {
  name: 'old-wallets',
  routes: ({ clock, unrecorded, use }) =>
    oldWalletRoutes({ oldWallets: unrecorded(oldWalletsOfKey), limits: () => use(rateLimits), clock }),
};
