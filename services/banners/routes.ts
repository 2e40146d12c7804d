import type { z } from 'zod';
import type { BannerPlace } from '../../contracts/events/banner';
import type { BANNER_CONTENT } from '../../contracts/http/catalog/banners';
import { adBanner, browserBanners, cardBanners } from '../../contracts/http/catalog/banners';
import { BANNERS_SOURCE, findBanners } from '../../projections/banners/banners';
import type { Views } from '../../projections/views';
import { bind, type Binding } from '../http/binding';
import { adOfDay, whyNotFor, whyNotNow } from './shown';

export interface BannerDeps {
  readonly views: Pick<Views, 'cached' | 'scan'>;
  readonly clock: () => Date;
}

type Content<Place extends BannerPlace> = z.output<(typeof BANNER_CONTENT)[Place]>;

/** What operators publish to wallets: `tidemark banners`. */
export function bannerRoutes({ views, clock }: BannerDeps): Binding[] {
  /** Checked when it was published. */
  const contents = <Place extends BannerPlace>(place: Place): Promise<Content<Place>[]> =>
    views.cached({ key: ['banners', place], sources: [BANNERS_SOURCE] }, async () => {
      const banners = await findBanners(views);
      return banners.filter(each => each.place === place).map(({ content }) => content as Content<Place>);
    });

  const listings = async (place: 'browser' | 'card') => {
    const now = clock().getTime();
    return { banners: (await contents(place)).filter(each => whyNotNow(each, now) === null) };
  };

  return [
    bind(browserBanners, () => listings('browser')),
    bind(cardBanners, () => listings('card')),
    bind(adBanner, async ({ query }) => {
      const now = clock().getTime();
      const ads = await contents('advertisement');
      const shown = ads.filter(ad => whyNotNow(ad, now) === null && whyNotFor(ad, query) === null);
      const ad = adOfDay(shown, now);
      if (!ad) return { product: null };
      const { id, image, title, description, url } = ad;
      return { product: { id, image, title, description, url } };
    }),
  ];
}
