import type { ConnectionOrigin, KnownOrigins } from '../../contracts/ports/connection-origins';

/**
 * Compares a page and an address with where a client has connected from:
 * - `ok`: from this page and address
 * - `warning`: from this page, and another address
 * - `danger`: from other pages, and surely not from this one
 * - `unknown`: not at all, or perhaps from this page
 */
export function originStatus(
  { origins, mayBeMore }: KnownOrigins,
  { origin, ip }: ConnectionOrigin,
): 'ok' | 'warning' | 'danger' | 'unknown' {
  const sameOrigin = origins.filter(each => each.origin === origin);
  if (sameOrigin.length === 0) return origins.length === 0 || mayBeMore ? 'unknown' : 'danger';
  return sameOrigin.some(each => each.ip === ip) ? 'ok' : 'warning';
}
