import { BANNER_CATEGORY, bannerEvents, bannerId, type BannerPlace } from '../../contracts/events/banner';
import type { JsonObject } from '../../contracts/json/json';
import type { Document, Source } from '../../contracts/ports/documents';
import type { EventProjection } from '../projection';
import { findAll } from '../find-all';
import type { Views } from '../views';

/** A banner that operators have published and not retired. */
export type BannerDocument = Document & {
  readonly place: BannerPlace;
  readonly content: JsonObject;
};

const COLLECTION = 'banners';

export const BANNERS_SOURCE: Source = { collection: COLLECTION };

export const bannersProjection: EventProjection = {
  name: 'banners',
  version: 1,
  categories: [BANNER_CATEGORY],
  collections: [{ name: COLLECTION, indexes: [] }],
  touches(recorded) {
    const { place, id } = bannerEvents.read(recorded).data;
    return [{ collection: COLLECTION, id: bannerId(place, id) }];
  },
  fold(_, recorded, { id }): BannerDocument | null {
    const { type, data } = bannerEvents.read(recorded);
    return type === 'BannerRetired' ? null : { _id: id, place: data.place, content: data.content };
  },
};

/** Every banner, in the order of their ids. Operators publish them one by one, so they are few. */
export function findBanners(views: Pick<Views, 'scan'>): Promise<BannerDocument[]> {
  return findAll<BannerDocument>(views, COLLECTION);
}
