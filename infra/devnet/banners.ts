import { LOCAL_APP_ORIGIN } from '../../contracts/chain/local-app';
import type { BANNER_CONTENT } from '../../contracts/http/catalog/banners';
import type { z } from 'zod';

const always = { start_date: 0, expiration_date: Date.UTC(2100, 0) };
const title = 'Local application';
const description = 'An example: this application exists on this machine only.';
const icon = `${LOCAL_APP_ORIGIN}/icon.png`;

const listing = {
  id: 100,
  product_url: LOCAL_APP_ORIGIN,
  ...always,
  enabled: true,
  banner_type: 'bannerItem',
  title,
  description,
  icon_url: icon,
  image_url: icon,
};

/** What is shown at each place where the networks are local: the local application, which is a double. */
export const LOCAL_BANNERS: {
  readonly [Place in keyof typeof BANNER_CONTENT]: z.input<(typeof BANNER_CONTENT)[Place]>;
} = {
  browser: listing,
  card: listing,
  advertisement: {
    id: 'local-app',
    title,
    description,
    image: icon,
    url: LOCAL_APP_ORIGIN,
    ...always,
  },
};
