import { fromNano } from '@ton/core';
import { formatTonAddress } from '../../../../contracts/account/address';
import { gaslessJettonStream, type GaslessJettonPlace } from '../../../../contracts/events/gasless-jetton';
import { TON_NETWORKS } from '../../../../contracts/network/network';
import type { EventStore } from '../../../../contracts/ports/event-store';
import type { Views } from '../../../../projections/views';
import { gaslessSendsProjection } from '../../../../projections/gasless/sends';
import { pricesProjection } from '../../../../projections/rates/prices';
import { gaslessJettonKind, type ListedJetton } from '../../../../services/gasless/jettons/decider';
import { load } from '../../../../services/commands/load';
import { rateOfPrices } from '../../../../services/gasless/quote/rate';
import type { Config } from '../../../config/settings';
import { list } from '../../commands/output';
import { withReads } from '../../commands/reading';
import { createLossDetector } from '../../loss/lost-data';
import { knownPrices } from '../rates';
import { codeStateOf, describeCodeState } from './code-state';
import { commandClient, withMasterReader } from './command-client';
import { jettonPlace, placeName } from './jettons';
import type { MasterReader } from './read-master';
import { configuredJettons, type ConfiguredJettons } from './relayers';
import { GASLESS_SETTINGS } from './settings';

type ShownToken = Awaited<ReturnType<typeof shownTokens>>[number];

/** The jettons of all networks that have a relayer. @throws EngineBehind where a list may have been lost */
export async function shownTokens(config: Config) {
  return withReads(config, [pricesProjection, gaslessSendsProjection], tools =>
    withMasterReader(config, tools, async reader => {
      const { engines, engine } = tools;
      const shown = TON_NETWORKS.map(async network => {
        const place = jettonPlace(config, network);
        const configured = await configuredJettons(config, network);
        if (!configured) return [];
        const listing = await listedJettons(engines.store, place, configured);
        if (!listing.isRecorded) {
          const behind = await createLossDetector(engines, () => engine.progress())();
          if (behind) throw behind;
        }
        const client = await commandClient(config, tools, network).catch(() => null);
        const showing = { config, reader: { ...reader, client }, ...engine };
        return Promise.all(
          listing.jettons.map(jetton => shownToken(showing, place, listing.isRecorded, jetton)),
        );
      });
      return (await Promise.all(shown)).flat();
    }),
  );
}

export interface Listing {
  readonly jettons: readonly ListedJetton[];
  /** False where nothing is recorded: they are those that the first start of the program would record. */
  readonly isRecorded: boolean;
}

export async function listedJettons(
  store: Pick<EventStore, 'readStream'>,
  place: GaslessJettonPlace,
  { jettons: named }: Pick<ConfiguredJettons, 'jettons'>,
): Promise<Listing> {
  const listed = await load(store, gaslessJettonKind, gaslessJettonStream(place));
  if (listed) return { jettons: [...listed.values()], isRecorded: true };
  const unrecorded = { code: null, isPaused: false, at: '', by: 'settings' };
  return { jettons: named.map(jetton => ({ ...jetton, ...unrecorded })), isRecorded: false };
}

interface Showing {
  readonly config: Config;
  /** Without a client where it is not known where nodes are. */
  readonly reader: Omit<MasterReader, 'client'> & { readonly client: MasterReader['client'] | null };
  readonly views: Pick<Views, 'getMany'>;
}

/** `perTon`: so many of the jetton for a TON, at most 9 decimals; null while no price is new enough. */
async function shownToken(
  { config, reader, views }: Showing,
  place: GaslessJettonPlace,
  isRecorded: boolean,
  jetton: ListedJetton,
) {
  const { network, realm } = place;
  const { master, decimals, perTon, isPaused: paused } = jetton;
  const about = {
    network,
    realm,
    master: formatTonAddress(master, network),
    decimals,
    paused,
    recorded: isRecorded,
  };
  const code = await codeStateOf(reader, jetton);
  if (perTon !== null) return { ...about, perTon, source: 'operator', ageSeconds: null, ...code };
  const now = Date.now();
  const maxAgeMs = config.of(GASLESS_SETTINGS).GASLESS_MAX_RATE_MINUTES * 60_000;
  const prices = await knownPrices(views, config, { network, master });
  const rate = rateOfPrices(prices, decimals, { now, maxAgeMs });
  return {
    ...about,
    perTon: rate && fromNano((rate.units * 10n ** 18n) / (rate.nanotons * 10n ** BigInt(decimals))),
    source: 'prices',
    ageSeconds: rate && Math.floor((now - Date.parse(rate.at)) / 1_000),
    ...code,
  };
}

export function tokenLines(tokens: readonly ShownToken[]): string[] {
  const lines = list('jettons', [
    ['NETWORK', 'MASTER', 'DECIMALS', 'PER TON', 'SOURCE', 'AGE', 'STATE', 'CODE'],
    ...tokens.map(token => [
      placeName(token),
      token.master,
      String(token.decimals),
      token.perTon ?? 'unknown',
      token.source,
      token.ageSeconds === null ? '-' : `${token.ageSeconds} s`,
      !token.recorded ? 'named' : token.paused ? 'paused' : 'listed',
      describeCodeState(token),
    ]),
  ]);
  if (tokens.every(({ recorded }) => recorded)) return lines;
  return [
    ...lines,
    'named: by a setting. No list is recorded, and the first start of the program records it',
  ];
}
