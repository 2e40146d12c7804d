import { bannerCommands } from './banners/commands';
import { BANNER_PLACES, bannerStream } from '../../../contracts/events/banner';
import { BANNER_CONTENT } from '../../../contracts/http/catalog/banners';
import type { JsonObject } from '../../../contracts/json/json';
import { bannersProjection } from '../../../projections/banners/banners';
import { bannerKind } from '../../../services/banners/decider';
import { bannerRoutes } from '../../../services/banners/routes';
import type { Feature, ProgramDeps, Worker } from '../feature';

/** Banners of the local application, so that wallets have some to show. Those that an operator has retired stay retired. */
async function publishLocalBanners({ handle, clock, logger }: ProgramDeps): Promise<void> {
  const { LOCAL_BANNERS, localNetworkMetadata } = await import('../../devnet/devnet.js');
  const metadata = localNetworkMetadata(clock());
  for (const place of BANNER_PLACES) {
    const content = BANNER_CONTENT[place].parse(LOCAL_BANNERS[place]) as JsonObject;
    const id = String(content['id']);
    try {
      await handle(bannerKind, bannerStream(place, id), { type: 'publish', place, id, content, metadata });
    } catch (error) {
      logger.warn({ err: error, place, id }, 'local banner could not be published');
    }
  }
}

const localBanners: Worker = {
  role: 'networks',
  start: deps =>
    deps.config.LOCAL_TRAFFIC && deps.networks.local.ton.has('mainnet')
      ? { done: publishLocalBanners(deps) }
      : {},
};

/** Banners and advertisements that wallets show. */
export const banners: Feature = {
  name: 'banners',
  commands: bannerCommands,
  projections: [bannersProjection],
  routes: ({ engine, clock }) => bannerRoutes({ views: engine.views, clock }),
  workers: [localBanners],
};
