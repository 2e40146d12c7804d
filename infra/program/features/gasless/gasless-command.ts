import { Command } from 'commander';
import { fromNano } from '@ton/core';
import { formatTonAddress, parseTonAddress } from '../../../../contracts/account/address';
import { gaslessBudgetStream } from '../../../../contracts/events/gasless-budget';
import { networkName, TON_NETWORKS, type TonNetwork } from '../../../../contracts/network/network';
import { messageOf } from '../../../../contracts/text/error-message';
import type { ProjectionEngine } from '../../../../projections/engine/engine';
import { gaslessHandoverCounts, gaslessSendsProjection } from '../../../../projections/gasless/sends';
import { pricesProjection } from '../../../../projections/rates/prices';
import { gaslessBudgetKind, reservedAt } from '../../../../services/gasless/budget/decider';
import { rateOfPrices } from '../../../../services/gasless/quote/rate';
import { relayAddress } from '../../../../services/gasless/relay/relay-account';
import { openGaslessCounts, relayFault, relayStatus } from '../../../../services/gasless/relay/status';
import { load } from '../../../../services/commands/load';
import { createTonClient } from '../../../engines/ton-client/ton-client';
import type { Config } from '../../../config/settings';
import { list, print, table } from '../../commands/output';
import { withReads } from '../../commands/reading';
import type { Tools } from '../../commands/with-engines';
import { findNetworks } from '../../sources/networks';
import { knownPrices } from '../rates';
import { configuredRelayer, relayerLimits, type ConfiguredRelayer } from './relayers';
import { GASLESS_SETTINGS } from './settings';

/** The relayers of gasless transfers, for operators; it changes nothing. */
export function gaslessCommand(config: () => Config): Command {
  return new Command('gasless')
    .description('the relayers of gasless transfers')
    .addCommand(
      new Command('status')
        .description('show the wallets of the relayers, what is on its way, and what was spent')
        .action(async (_flags: object, command: Command) => {
          const shown = await withReads(config(), [gaslessSendsProjection], tools =>
            statusOf(config(), tools),
          );
          print(shown, statusLines(shown), command);
        }),
    )
    .addCommand(
      new Command('tokens')
        .description('show the jettons that pay for transfers, with their rates')
        .action(async (_flags: object, command: Command) => {
          const tokens = await tokensOf(config());
          print({ tokens }, tokenLines(tokens), command);
        }),
    )
    .addCommand(
      new Command('limits')
        .description('show what the relayers may spend, and what they charge')
        .action((_flags: object, command: Command) => {
          const limits = limitsOf(config());
          print(limits, limitLines(limits), command);
        }),
    );
}

type ShownStatus = Awaited<ReturnType<typeof statusOf>>;

async function statusOf(config: Config, tools: Tools & { readonly engine: Pick<ProjectionEngine, 'views'> }) {
  const relayers = [];
  for (const [network, relayer] of await configured(config))
    relayers.push(await relayerStatus(config, tools, { network, ...relayer }));
  const handovers = await gaslessHandoverCounts(tools.engine.views);
  return { ...(await openGaslessCounts(tools.engines.jobs)), relayers, handovers };
}

async function relayerStatus(
  config: Config,
  { engines: { store }, logger, signal }: Tools,
  { network, key }: { readonly network: TonNetwork } & ConfiguredRelayer,
) {
  const { limits, minBalance } = relayerLimits(config);
  const client = createTonClient({
    urls: (await findNetworks(config)).ton[network],
    attempts: 1,
    // What a node answers is shown.
    logger: logger.child({}, { level: 'silent' }),
    signal,
  });
  const wallet = await relayStatus({ store }, { network, key, client, minBalance }).catch(messageOf);
  const budget = await load(store, gaslessBudgetKind, gaslessBudgetStream(network, 'all'));
  const { inMinute, inDay } = reservedAt(budget, new Date().toISOString());
  const isKnown = typeof wallet !== 'string';
  return {
    network,
    wallet: formatTonAddress(relayAddress({ network, key }), network, false),
    balance: isKnown ? fromNano(wallet.balance) : null,
    floor: fromNano(minBalance),
    inFlight: isKnown ? wallet.live : null,
    fault: isKnown ? relayFault(wallet, Date.now()) : `its balance is not known: ${wallet}`,
    spentInMinute: fromNano(inMinute),
    maxInMinute: fromNano(limits.all.perMinute),
    spentInDay: fromNano(inDay),
    maxInDay: fromNano(limits.all.perDay),
  };
}

function statusLines(status: ShownStatus): string[] {
  return [...relayerLines(status), ...handoverLines(status)];
}

/** Of transfers that were handed over to the relayer of somebody else, where there are any. */
function handoverLines({ handovers: { steps, inFlight, oldest } }: ShownStatus): string[] {
  const found = Object.entries(steps).filter(([, count]) => count > 0);
  if (found.length === 0) return [];
  const since = oldest === null ? '' : `, the oldest since ${oldest}`;
  return [
    `handed over: ${found.map(([step, count]) => `${step} ${count}`).join(', ')}`,
    `handed over and in flight: ${inFlight}${since}`,
  ];
}

function relayerLines({ sending, unknown, relayers }: ShownStatus): string[] {
  if (relayers.length === 0) return ['no relayers'];
  return [
    ...table([
      ['NETWORK', 'WALLET', 'BALANCE', 'FLOOR', 'IN MESSAGE', 'MINUTE', 'DAY', 'STATE'],
      ...relayers.map(each => [
        networkName({ chain: 'ton', network: each.network }),
        each.wallet,
        each.balance ?? 'unknown',
        each.floor,
        String(each.inFlight?.requests ?? 0),
        `${each.spentInMinute} of ${each.maxInMinute}`,
        `${each.spentInDay} of ${each.maxInDay}`,
        each.fault ?? 'ok',
      ]),
    ]),
    `waiting to be sent on: ${sending}; messages without an outcome: ${unknown}`,
  ];
}

type ShownToken = Awaited<ReturnType<typeof tokensOf>>[number];

/** `perTon`: so many of the jetton for a TON, at most 9 decimals; null while no price is new enough. */
async function tokensOf(config: Config) {
  const now = Date.now();
  const maxAgeMs = config.of(GASLESS_SETTINGS).GASLESS_MAX_RATE_MINUTES * 60_000;
  const listed = (await configured(config)).flatMap(([network, relayer]) =>
    relayer.listed.map(jetton => ({ network, ...jetton })),
  );
  return withReads(config, [pricesProjection], ({ engine: { views } }) =>
    Promise.all(
      listed.map(async ({ network, master: given, decimals, perTon }) => {
        const master = parseTonAddress(given)!.raw;
        const about = { network, master: formatTonAddress(master, network), decimals };
        if (perTon !== undefined) return { ...about, perTon, source: 'settings', ageSeconds: null };
        const rate = rateOfPrices(await knownPrices(views, config, { network, master }), decimals, {
          now,
          maxAgeMs,
        });
        return {
          ...about,
          perTon: rate && fromNano((rate.units * 10n ** 18n) / (rate.nanotons * 10n ** BigInt(decimals))),
          source: 'prices',
          ageSeconds: rate && Math.floor((now - Date.parse(rate.at)) / 1_000),
        };
      }),
    ),
  );
}

const tokenLines = (tokens: readonly ShownToken[]): string[] =>
  list('jettons', [
    ['NETWORK', 'MASTER', 'DECIMALS', 'PER TON', 'SOURCE', 'AGE'],
    ...tokens.map(({ network, master, decimals, perTon, source, ageSeconds }) => [
      networkName({ chain: 'ton', network }),
      master,
      String(decimals),
      perTon ?? 'unknown',
      source,
      ageSeconds === null ? '-' : `${ageSeconds} s`,
    ]),
  ]);

/** TON, but for what is charged. */
function limitsOf(config: Config) {
  const { limits, minBalance, terms } = relayerLimits(config);
  const of = (kind: keyof typeof limits) => ({
    perMinute: fromNano(limits[kind].perMinute),
    perDay: fromNano(limits[kind].perDay),
  });
  return {
    floor: fromNano(minBalance),
    all: of('all'),
    wallet: of('wallet'),
    source: of('source'),
    marginBasisPoints: Number(terms.marginBasisPoints),
    minCommissionUnits: terms.minimum.toString(),
    maxRateMinutes: config.of(GASLESS_SETTINGS).GASLESS_MAX_RATE_MINUTES,
  };
}

function limitLines(limits: ReturnType<typeof limitsOf>): string[] {
  return [
    ...table([
      ['TON FOR', 'PER MINUTE', 'PER DAY'],
      ...(['all', 'wallet', 'source'] as const).map(kind => [
        kind === 'all' ? 'all' : `each ${kind}`,
        limits[kind].perMinute,
        limits[kind].perDay,
      ]),
    ]),
    `stay in the wallet: ${limits.floor} TON`,
    `charged: costs and ${limits.marginBasisPoints / 100} %, and at least ${limits.minCommissionUnits} of the jetton's smallest unit`,
    `prices are at most ${limits.maxRateMinutes} minutes old`,
  ];
}

async function configured(config: Config): Promise<(readonly [TonNetwork, ConfiguredRelayer])[]> {
  const found: (readonly [TonNetwork, ConfiguredRelayer])[] = [];
  for (const network of TON_NETWORKS) {
    const relayer = await configuredRelayer(config, network);
    if (relayer) found.push([network, relayer]);
  }
  return found;
}
