import type { ConnectionOrigin, KnownOrigins } from '../../contracts/ports/connection-origins';

/**
 * Compares a page and an address with the page from which a client was the first to connect. A program may connect as the same
 * client and name any page as its origin: what has connected from the asking address counts alone, where there is any, and what
 * has connected later does not count.
 * - `ok`: this page, at this address
 * - `warning`: this page, at other addresses only
 * - `danger`: another page
 * - `unknown`: none, or elsewhere another one, where there was no room for all
 */
export function originStatus(
  { origins, mayBeMore }: KnownOrigins,
  { origin, ip }: ConnectionOrigin,
): 'ok' | 'warning' | 'danger' | 'unknown' {
  const here = origins.find(each => each.ip === ip);
  if (here) return here.origin === origin ? 'ok' : 'danger';
  const [first] = origins;
  if (first?.origin === origin) return 'warning';
  return !first || mayBeMore ? 'unknown' : 'danger';
}
