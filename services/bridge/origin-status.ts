import type { ConnectionOrigin } from '../../contracts/ports/connection-origins';

/**
 * Compares a page and an address with where a client has connected from:
 * - `ok`: from this page and address
 * - `warning`: from this page, and another address
 * - `danger`: from other pages
 * - `unknown`: not at all
 */
export function originStatus(
  known: readonly ConnectionOrigin[],
  { origin, ip }: ConnectionOrigin,
): 'ok' | 'warning' | 'danger' | 'unknown' {
  if (known.length === 0) return 'unknown';
  const sameOrigin = known.filter(each => each.origin === origin);
  if (sameOrigin.length === 0) return 'danger';
  return sameOrigin.some(each => each.ip === ip) ? 'ok' : 'warning';
}
