import { ALLOWED_DOMAIN_CATEGORY, allowedDomainEvents } from '../../contracts/events/allowed-domain';
import type { EventStore } from '../../contracts/ports/event-store';
import { EMBEDDED_DOMAINS } from './embedded';

/** A domain that is allowed. */
export interface AllowedDomain {
  readonly domain: string;
  /** Null, as the others, for one that comes with the program. */
  readonly at: string | null;
  readonly by: string | null;
  readonly reason: string | null;
}

/** What wallets may open: the domains that come with the program but for those revoked, and those allowed; sorted. */
export function allowedAmong(
  decided: Iterable<{ readonly domain: string; readonly isAllowed: boolean }>,
): string[] {
  const allowed = new Set(EMBEDDED_DOMAINS);
  for (const { domain, isAllowed } of decided)
    if (isAllowed) allowed.add(domain);
    else allowed.delete(domain);
  return [...allowed].sort();
}

/** As operators see it: from the events, with who allowed each. */
export async function listAllowedDomains(store: Pick<EventStore, 'readAll'>): Promise<AllowedDomain[]> {
  const last = new Map<string, AllowedDomain & { readonly isAllowed: boolean }>();
  for await (const page of store.readAll({ categories: [ALLOWED_DOMAIN_CATEGORY] }))
    for (const recorded of page) {
      const { type, data } = allowedDomainEvents.read(recorded);
      last.set(data.domain, { ...data, isAllowed: type === 'DomainAllowed' });
    }
  return allowedAmong(last.values()).map(domain => {
    const { at = null, by = null, reason = null } = last.get(domain) ?? {};
    return { domain, at, by, reason };
  });
}
