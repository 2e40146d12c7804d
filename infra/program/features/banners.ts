import { bannersProjection } from '../../../projections/banners/banners';
import { bannerRoutes } from '../../../services/banners/routes';
import { bannersCommand } from '../../cli/banners';
import type { Feature } from '../feature';

/** Banners and advertisements that wallets show. */
export const banners: Feature = {
  name: 'banners',
  projections: [bannersProjection],
  routes: ({ engine, clock }) => bannerRoutes({ views: engine.views, clock }),
  commands: [bannersCommand],
};
