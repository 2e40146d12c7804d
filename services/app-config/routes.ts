import { getAppConfig, getAppVersions } from '../../contracts/http/catalog/app-config';
import type { AppConfigName } from '../../contracts/events/app-config';
import { immutable } from '../../contracts/http/immutable-response';
import type { TonNetwork } from '../../contracts/network/network';
import {
  APP_CONFIGS_SOURCE,
  findAppConfig,
  type AppConfigDocument,
} from '../../projections/app-config/app-configs';
import type { Views } from '../../projections/views';
import { bind, type Binding } from '../http/binding';
import { Reply } from '../http/call';
import { embeddedAppConfig } from './embedded';

export interface AppConfigDeps {
  readonly views: Pick<Views, 'get' | 'cached'>;
  readonly isLocal: (network: TonNetwork) => boolean;
}

/** What operators configure in wallets: `tidemark config`. */
export function appConfigRoutes({ views, isLocal }: AppConfigDeps): Binding[] {
  const answer = <Body extends object>(
    name: AppConfigName,
    network: TonNetwork,
    bodyOf: (found: AppConfigDocument | null) => Body,
  ) =>
    views.cached({ key: ['app config', name, network], sources: [APP_CONFIGS_SOURCE] }, async () => {
      const found = await findAppConfig(views, name, network);
      return new Reply(immutable(bodyOf(found)), { 'X-Config-Version': String(found?.version ?? 0) });
    });
  /** What was published has been checked then. */
  const contentOf = <Name extends AppConfigName>(
    name: Name,
    network: TonNetwork,
    found: AppConfigDocument | null,
  ) => (found?.content ?? embeddedAppConfig(network, isLocal(network))[name]) as Content[Name];
  return [
    bind(getAppConfig, ({ params: { network } }) =>
      answer('app', network, found => contentOf('app', network, found)),
    ),
    bind(getAppVersions, ({ params: { network } }) =>
      answer('versions', network, found => ({
        ...contentOf('versions', network, found),
        createdAt: found ? Date.parse(found.createdAt) : 0,
        updatedAt: found ? Date.parse(found.updatedAt) : 0,
      })),
    ),
  ];
}

type Content = ReturnType<typeof embeddedAppConfig>;
