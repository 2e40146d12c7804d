import { allowedDomainCommands } from './allowed-domains/commands';
import { allowedDomainsProjection } from '../../../projections/allowed-domains/allowed-domains';
import { allowedDomainRoutes } from '../../../services/allowed-domains/routes';
import type { Feature } from '../feature';

/** Domains that wallets may open in their browser. */
export const allowedDomains: Feature = {
  name: 'allowed-domains',
  commands: allowedDomainCommands,
  projections: [allowedDomainsProjection],
  routes: ({ engine }) => allowedDomainRoutes({ views: engine.views }),
};
