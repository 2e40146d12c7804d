import { shareOf } from '../../../contracts/bound';
import {
  MAX_FIRST_PAGE_PLACES,
  MAX_PLACES,
  type ConnectionOrigin,
} from '../../../contracts/ports/connection-origins';

export interface Used extends ConnectionOrigin {
  readonly usedAt: number;
}

/**
 * The places of a client, in the order of their first use, after a use.
 * @returns null where there is no room, and nothing is known of the network
 */
export function placesAfter(used: readonly Used[], use: Used): readonly Used[] | null {
  const { origin: given, network } = use;
  // One text for all networks of a page, as that of each stream is one of its own.
  const origin = used.find(each => each.origin === given)?.origin ?? given;
  const at = used.findIndex(each => each.origin === origin && each.network === network);
  if (at >= 0) return used.with(at, { ...use, origin });

  const countOf = (of: string): number => used.filter(each => each.network === of).length;
  const isFirstPage = used[0]?.origin === origin;
  const own = countOf(network);
  if (isFirstPage && used.filter(each => each.origin === origin).length >= MAX_FIRST_PAGE_PLACES) return used;
  if (own >= shareOf(MAX_PLACES)) return used;
  if (used.length < MAX_PLACES) return [...used, { ...use, origin }];

  const most = Math.max(...used.map(each => countOf(each.network)));
  if (most <= own + 1) return own > 0 || isFirstPage ? used : null;
  const newest = used.findLastIndex(each => countOf(each.network) === most);
  return [...used.toSpliced(newest, 1), { ...use, origin }];
}
