import type { ConnectionOrigin, KnownOrigins } from '../../contracts/ports/connection-origins';

/**
 * Compares a page and a network with the page from which a client was the first to connect. A program may connect as the same
 * client and name any page as its origin: what has connected from the asking network counts alone, where there is any, and what
 * has connected later does not count.
 * - `ok`: this page, at this network
 * - `warning`: this page, at other networks only
 * - `danger`: another page
 * - `unknown`: none, or elsewhere another one, where there was no room for all
 */
export function originStatus(
  { origins, mayBeMore }: KnownOrigins,
  { origin, network }: ConnectionOrigin,
): 'ok' | 'warning' | 'danger' | 'unknown' {
  const here = origins.find(each => each.network === network);
  if (here) return here.origin === origin ? 'ok' : 'danger';
  const [first] = origins;
  if (first?.origin === origin) return 'warning';
  return !first || mayBeMore ? 'unknown' : 'danger';
}
