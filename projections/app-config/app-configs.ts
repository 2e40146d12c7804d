import {
  APP_CONFIG_CATEGORY,
  appConfigEvents,
  appConfigId,
  type AppConfigEvent,
  type AppConfigName,
} from '../../contracts/events/app-config';
import type { TonNetwork } from '../../contracts/network/network';
import type { Document, Source } from '../../contracts/ports/documents';
import type { EventProjection } from '../projection';
import type { Views } from '../views';

type Published = AppConfigEvent['data'];

/** What operators have published last for a network. */
export type AppConfigDocument = Document &
  Pick<Published, 'version' | 'content'> & {
    /** RFC 3339 UTC instants of the first and the last version. */
    readonly createdAt: string;
    readonly updatedAt: string;
  };

const COLLECTION = 'app_configs';

export const APP_CONFIGS_SOURCE: Source = { collection: COLLECTION };

export const appConfigsProjection: EventProjection = {
  name: 'app-configs',
  version: 1,
  categories: [APP_CONFIG_CATEGORY],
  collections: [{ name: COLLECTION, indexes: [] }],
  touches(recorded) {
    const { name, network } = appConfigEvents.read(recorded).data;
    return [{ collection: COLLECTION, id: appConfigId(name, network) }];
  },
  fold(document, recorded, { id }): AppConfigDocument {
    const { version, content, at } = appConfigEvents.read(recorded).data;
    const { createdAt = at } = (document as AppConfigDocument | null) ?? {};
    return { _id: id, version, content, createdAt, updatedAt: at };
  },
};

/** What is in force of a document; null while operators have published nothing. */
export function findAppConfig(
  views: Pick<Views, 'get'>,
  name: AppConfigName,
  network: TonNetwork,
): Promise<AppConfigDocument | null> {
  return views.get<AppConfigDocument>(COLLECTION, appConfigId(name, network));
}
