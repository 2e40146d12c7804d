import { fromNano } from '@ton/core';
import { formatTonAddress } from '../../../../contracts/account/address';
import { gaslessJettonStream } from '../../../../contracts/events/gasless-jetton';
import { networkName, type TonNetwork } from '../../../../contracts/network/network';
import type { EventStore } from '../../../../contracts/ports/event-store';
import type { TonClient } from '../../../../contracts/ports/ton-client';
import type { Views } from '../../../../projections/views';
import { pricesProjection } from '../../../../projections/rates/prices';
import { gaslessJettonKind, type ListedJetton } from '../../../../services/gasless/jettons/decider';
import { load } from '../../../../services/commands/load';
import { rateOfPrices } from '../../../../services/gasless/quote/rate';
import type { Config } from '../../../config/settings';
import { list } from '../../commands/output';
import { withReads } from '../../commands/reading';
import { knownPrices } from '../rates';
import { commandClient } from './command-client';
import { changedCode } from './jetton-codes';
import { jettonPlace } from './jettons';
import { configuredRelayers, type ConfiguredRelayer } from './relayers';
import { GASLESS_SETTINGS } from './settings';

type ShownToken = Awaited<ReturnType<typeof shownTokens>>[number];

/** The jettons of all networks that have a relayer. */
export async function shownTokens(config: Config) {
  const relayers = await configuredRelayers(config);
  return withReads(config, [pricesProjection], async tools => {
    const { engines, engine } = tools;
    const shown = relayers.map(async ([network, relayer]) => {
      const client = await commandClient(config, tools, network).catch(() => null);
      const jettons = await listedJettons(config, engines.store, network, relayer);
      return Promise.all(jettons.map(jetton => shownToken({ config, client, ...engine }, network, jetton)));
    });
    return (await Promise.all(shown)).flat();
  });
}

/** Those that the next start would begin with where no program has run. */
export async function listedJettons(
  config: Config,
  store: Pick<EventStore, 'readStream'>,
  network: TonNetwork,
  { jettons: named }: Pick<ConfiguredRelayer, 'jettons'>,
): Promise<readonly ListedJetton[]> {
  const listed = await load(store, gaslessJettonKind, gaslessJettonStream(jettonPlace(config, network)));
  if (listed) return [...listed.values()];
  const unrecorded = { code: null, isPaused: false, at: '', by: 'settings' };
  return named.map(jetton => ({ ...jetton, ...unrecorded }));
}

type CodeClient = Pick<TonClient, 'getLastBlock' | 'getAccount' | 'runMethod'>;

interface Showing {
  readonly config: Config;
  /** Null where it is not known where nodes are. */
  readonly client: CodeClient | null;
  readonly views: Pick<Views, 'getMany'>;
}

/** `perTon`: so many of the jetton for a TON, at most 9 decimals; null while no price is new enough. */
async function shownToken({ config, client, views }: Showing, network: TonNetwork, jetton: ListedJetton) {
  const { master, decimals, perTon, isPaused: paused } = jetton;
  const about = { network, master: formatTonAddress(master, network), decimals, paused };
  const code = await codeStateOf(client, jetton);
  if (perTon !== null) return { ...about, perTon, source: 'operator', ageSeconds: null, code };
  const now = Date.now();
  const maxAgeMs = config.of(GASLESS_SETTINGS).GASLESS_MAX_RATE_MINUTES * 60_000;
  const prices = await knownPrices(views, config, { network, master });
  const rate = rateOfPrices(prices, decimals, { now, maxAgeMs });
  return {
    ...about,
    perTon: rate && fromNano((rate.units * 10n ** 18n) / (rate.nanotons * 10n ** BigInt(decimals))),
    source: 'prices',
    ageSeconds: rate && Math.floor((now - Date.parse(rate.at)) / 1_000),
    code,
  };
}

const CODE_STATES = {
  as_listed: 'as listed',
  master_changed: 'changed: that of the master',
  wallet_changed: 'changed: that of the wallets',
  not_recorded: 'not read yet',
  unknown: 'unknown: no node answers',
} as const;
export type CodeState = keyof typeof CODE_STATES;

/** How the code of a jetton compares with what it was when it was listed. */
export async function codeStateOf(
  client: CodeClient | null,
  { master, code }: ListedJetton,
): Promise<CodeState> {
  if (!code) return 'not_recorded';
  if (!client) return 'unknown';
  try {
    const { seqno } = await client.getLastBlock();
    const change = await changedCode(client, seqno, { master, code });
    return change ? `${change.of}_changed` : 'as_listed';
  } catch {
    return 'unknown';
  }
}

export function tokenLines(tokens: readonly ShownToken[]): string[] {
  return list('jettons', [
    ['NETWORK', 'MASTER', 'DECIMALS', 'PER TON', 'SOURCE', 'AGE', 'STATE', 'CODE'],
    ...tokens.map(({ network, master, decimals, perTon, source, ageSeconds, paused, code }) => [
      networkName({ chain: 'ton', network }),
      master,
      String(decimals),
      perTon ?? 'unknown',
      source,
      ageSeconds === null ? '-' : `${ageSeconds} s`,
      paused ? 'paused' : 'listed',
      CODE_STATES[code],
    ]),
  ]);
}
