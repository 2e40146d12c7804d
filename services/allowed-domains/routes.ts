import { allowedDomains } from '../../contracts/http/catalog/allowed-domains';
import { immutable } from '../../contracts/http/immutable-response';
import {
  ALLOWED_DOMAINS_SOURCE,
  findDecidedDomains,
} from '../../projections/allowed-domains/allowed-domains';
import type { Views } from '../../projections/views';
import { bind, type Binding } from '../http/binding';
import { allowedAmong } from './list';

export interface AllowedDomainDeps {
  readonly views: Pick<Views, 'cached' | 'scan'>;
}

/** Domains that wallets may open: those that come with the program, as operators have changed them (`tidemark domains`). */
export function allowedDomainRoutes({ views }: AllowedDomainDeps): Binding[] {
  return [
    bind(allowedDomains, () =>
      views.cached({ key: ['allowed domains'], sources: [ALLOWED_DOMAINS_SOURCE] }, async () => {
        const decided = await findDecidedDomains(views);
        const domains = allowedAmong(decided.map(({ _id: domain, isAllowed }) => ({ domain, isAllowed })));
        return immutable({ domains });
      }),
    ),
  ];
}
