import type { z } from 'zod';
import { formatTonAddress } from '../../contracts/account/address';
import type { TonNetworkConfig, TonNetworkSubject } from '../../contracts/chain/ton-network-config';
import type { AddressWarning } from '../../contracts/events/address-warning';
import { immutable } from '../../contracts/http/immutable-response';
import { networkConfig } from '../../contracts/http/ton/config';
import type { TonNetwork } from '../../contracts/network/network';
import type { Observed, ObservedReader } from '../../contracts/observation/reader';
import {
  ADDRESS_WARNINGS_SOURCE,
  findAddressWarnings,
  type AddressWarningDocument,
} from '../../projections/ton-config/address-warnings';
import type { Views } from '../../projections/views';
import { bind, type Binding } from '../http/binding';

export interface TonConfigDeps {
  readonly views: Pick<Views, 'cached' | 'scan'>;
  readonly configs: ObservedReader<TonNetworkSubject, TonNetworkConfig>;
}

type Response = z.input<NonNullable<typeof networkConfig.response>>;

interface Found {
  readonly response: Response;
  /** RFC 3339 instant of the observation; null when there is none. */
  readonly at: string | null;
}

/** The configuration of a network, from its observation, with the warnings about addresses that operators keep. */
export function tonConfigRoutes({ views, configs }: TonConfigDeps): Binding[] {
  return [
    bind(networkConfig, async ({ query }) => {
      const subject = { network: query.network ?? 'mainnet' };
      const find = (): Promise<Found> =>
        views.cached(
          {
            key: ['TON config', query.network],
            sources: [ADDRESS_WARNINGS_SOURCE, configs.source(subject)],
          },
          async () => {
            const [warnings, observed] = await Promise.all([
              findAddressWarnings(views),
              configs.find(subject),
            ]);
            const listed = warnings.filter(({ network }) => network === (query.network ?? network));
            return {
              response: immutable(responseOf(subject.network, listed, observed)),
              at: observed && observed.at,
            };
          },
        );
      const found = await configs.readDerived(subject, {
        find,
        isStale: ({ at }) => at === null || configs.isStale(at),
        isCurrent: ({ at }) => at !== null,
      });
      return found!.response; // `find` has the warnings, whatever else is known
    }),
  ];
}

function responseOf(
  network: TonNetwork,
  warnings: readonly AddressWarningDocument[],
  observed: Observed<TonNetworkConfig> | null,
): Response {
  const listed = (warning: AddressWarning): string[] =>
    warnings
      .filter(each => each.warnings.includes(warning))
      .map(each => formatTonAddress(each.address, each.network));
  return {
    wallets: { restrict_send: listed('restrict_send'), spam: listed('spam') },
    network,
    config: observed && { seqno: observed.height!, at: observed.at, ...observed.data },
  };
}
