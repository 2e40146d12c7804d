import { allowedDomainsProjection } from '../../../projections/allowed-domains/allowed-domains';
import { allowedDomainRoutes } from '../../../services/allowed-domains/routes';
import type { Feature } from '../feature';

/** Domains that wallets may open in their browser. */
export const allowedDomains: Feature = {
  name: 'allowed-domains',
  projections: [allowedDomainsProjection],
  routes: ({ engine }) => allowedDomainRoutes({ views: engine.views }),
};
