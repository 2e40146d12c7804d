import { hasShareLeft } from '../../contracts/bound';
import { countBySource } from '../../projections/count-by-source';
import type { Views } from '../../projections/views';
import type { CallerSource } from '../http/caller-source';

/** Who begins something that stays, and whether it may begin one more. */
export interface CallerPlace {
  readonly source: string;
  readonly hasPlace: boolean;
}

/** Seconds after which a caller without a place may try again: shares are those of a day. */
export const RETRY_PLACE_AFTER = 3_600;

export interface CallerPlaceDeps {
  readonly views: Pick<Views, 'count' | 'isOutdated'>;
  readonly sourceOf: CallerSource;
}

/**
 * Whether a caller may have one more document of a collection, as of `countBySource`: a quarter of what the others leave. Several
 * that begin one at once may exceed the bound by as many.
 * @param max documents of the collection; 0: any number
 */
export async function placeOf(
  { views, sourceOf }: CallerPlaceDeps,
  collection: string,
  max: number,
  ip: string,
): Promise<CallerPlace> {
  const source = sourceOf(ip);
  if (max === 0) return { source, hasPlace: true };
  const { ofAll, fromSource } = await countBySource(views, collection, source);
  return { source, hasPlace: hasShareLeft(max, ofAll, fromSource) };
}
