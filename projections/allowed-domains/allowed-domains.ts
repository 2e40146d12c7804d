import { ALLOWED_DOMAIN_CATEGORY, allowedDomainEvents } from '../../contracts/events/allowed-domain';
import type { Document, Source } from '../../contracts/ports/documents';
import type { EventProjection } from '../projection';
import { findAll } from '../find-all';
import type { Views } from '../views';

/** What operators have decided about a domain last. */
export type AllowedDomainDocument = Document & {
  readonly isAllowed: boolean;
  readonly reason: string | null;
  /** RFC 3339 UTC instant. */
  readonly at: string;
  readonly by: string;
};

const COLLECTION = 'allowed_domains';

export const ALLOWED_DOMAINS_SOURCE: Source = { collection: COLLECTION };

export const allowedDomainsProjection: EventProjection = {
  name: 'allowed-domains',
  version: 1,
  categories: [ALLOWED_DOMAIN_CATEGORY],
  collections: [{ name: COLLECTION, indexes: [] }],
  touches: recorded => [{ collection: COLLECTION, id: allowedDomainEvents.read(recorded).data.domain }],
  fold(_, recorded, { id }): AllowedDomainDocument {
    const { type, data } = allowedDomainEvents.read(recorded);
    const { reason, at, by } = data;
    return { _id: id, isAllowed: type === 'DomainAllowed', reason, at, by };
  },
};

/** Every domain that operators have decided about, in alphabetical order. They name them one by one, so they are few. */
export function findDecidedDomains(views: Pick<Views, 'scan'>): Promise<AllowedDomainDocument[]> {
  return findAll<AllowedDomainDocument>(views, COLLECTION);
}
