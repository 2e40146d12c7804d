import { ALLOWED_DOMAIN_CATEGORY, allowedDomainEvents } from '../../contracts/events/allowed-domain';
import type { EventStore } from '../../contracts/ports/event-store';
import { lastEvents } from '../commands/last-events';
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

/** Whether wallets let a domain of the list stand for a host: that host, or after a point also every one under it. */
export function coversHost(domain: string, host: string): boolean {
  return domain.startsWith('.') ? `.${host}`.endsWith(domain) : domain === host;
}

/** As operators see it, with who allowed each. */
export async function listAllowedDomains(store: Pick<EventStore, 'readAll'>): Promise<AllowedDomain[]> {
  const changes = await lastEvents(store, ALLOWED_DOMAIN_CATEGORY, allowedDomainEvents);
  const decided = changes.map(({ type, data }) => ({ ...data, isAllowed: type === 'DomainAllowed' }));
  const last = new Map(decided.map(each => [each.domain, each]));
  return allowedAmong(decided).map(domain => {
    const { at = null, by = null, reason = null } = last.get(domain) ?? {};
    return { domain, at, by, reason };
  });
}
