import { Command } from 'commander';
import { fromNano } from '@ton/core';
import { formatTonAddress } from '../../../../contracts/account/address';
import { gaslessBudgetStream } from '../../../../contracts/events/gasless-budget';
import { networkName, type TonNetwork } from '../../../../contracts/network/network';
import { messageOf } from '../../../../contracts/text/error-message';
import type { ProjectionEngine } from '../../../../projections/engine/engine';
import { gaslessHandoverCounts, gaslessSendsProjection } from '../../../../projections/gasless/sends';
import { gaslessBudgetKind, reservedAt } from '../../../../services/gasless/budget/decider';
import { liveQuotes } from '../../../../services/gasless/quote/live';
import { relayAddress } from '../../../../services/gasless/relay/relay-account';
import { openGaslessCounts, relayFault, relayStatus } from '../../../../services/gasless/relay/status';
import { load } from '../../../../services/commands/load';
import type { Config } from '../../../config/settings';
import { print, table } from '../../commands/output';
import { withReads } from '../../commands/reading';
import type { Tools } from '../../commands/with-engines';
import { codeStateOf, faultOfCode, type CodeState } from './code-state';
import { commandClient, withMasterReader } from './command-client';
import { jettonPlace } from './jettons';
import { configuredRelayers, relayerLimits, type ConfiguredRelayer } from './relayers';
import { GASLESS_SETTINGS } from './settings';
import { listedJettons } from './shown-tokens';
import { gaslessTokensCommand } from './tokens-command';

/** The relayers of gasless transfers, for operators. */
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
    .addCommand(gaslessTokensCommand(config))
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
  const quotes = await liveQuotes(tools.engines.store, Date.now());
  for (const [network, relayer] of await configuredRelayers(config)) {
    const status = await relayerStatus(config, tools, { network, ...relayer });
    relayers.push({ ...status, quotes: quotes[network] });
  }
  const handovers = await gaslessHandoverCounts(tools.engine.views);
  return { ...(await openGaslessCounts(tools.engines.jobs)), relayers, handovers };
}

async function relayerStatus(
  config: Config,
  tools: Tools,
  { network, key, jettons }: { readonly network: TonNetwork } & ConfiguredRelayer,
) {
  const { limits, minBalance } = relayerLimits(config);
  const { store } = tools.engines;
  const client = await commandClient(config, tools, network);
  const wallet = await relayStatus({ store }, { network, key, client, minBalance }).catch(messageOf);
  const budget = await load(store, gaslessBudgetKind, gaslessBudgetStream(network, 'all'));
  const { inMinute, inDay } = reservedAt(budget, new Date().toISOString());
  const isKnown = typeof wallet !== 'string';
  const { jettons: listed } = await listedJettons(store, jettonPlace(config, network), { jettons });
  const codes = await withMasterReader(config, tools, reader =>
    Promise.all(listed.map(jetton => codeStateOf({ ...reader, client }, jetton))),
  );
  return {
    network,
    wallet: formatTonAddress(relayAddress({ network, key }), network, false),
    balance: isKnown ? fromNano(wallet.balance) : null,
    floor: fromNano(minBalance),
    inFlight: isKnown ? wallet.live : null,
    fault: isKnown
      ? (relayFault(wallet, Date.now()) ?? jettonFault(codes))
      : `its balance is not known: ${wallet}`,
    spentInMinute: fromNano(inMinute),
    maxInMinute: fromNano(limits.all.perMinute),
    spentInDay: fromNano(inDay),
    maxInDay: fromNano(limits.all.perDay),
  };
}

function jettonFault(codes: readonly CodeState[]): string | null {
  if (codes.length === 0) return 'no jetton is listed: see tidemark gasless tokens';
  const faults = codes.map(faultOfCode);
  if (faults.includes('other_code'))
    return 'a jetton has other code than when it was listed: see tidemark gasless tokens';
  return faults.includes('unusable') ? 'a listed jetton cannot pay: see tidemark gasless tokens' : null;
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
      ['NETWORK', 'WALLET', 'BALANCE', 'FLOOR', 'IN MESSAGE', 'QUOTES', 'MINUTE', 'DAY', 'STATE'],
      ...relayers.map(each => [
        networkName({ chain: 'ton', network: each.network }),
        each.wallet,
        each.balance ?? 'unknown',
        each.floor,
        String(each.inFlight?.requests ?? 0),
        String(each.quotes),
        `${each.spentInMinute} of ${each.maxInMinute}`,
        `${each.spentInDay} of ${each.maxInDay}`,
        each.fault ?? 'ok',
      ]),
    ]),
    `waiting to be sent on: ${sending}; messages without an outcome: ${unknown}`,
  ];
}

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
