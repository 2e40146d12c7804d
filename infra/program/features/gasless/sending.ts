import { formatTonAddress } from '../../../../contracts/account/address';
import type { TonNetwork } from '../../../../contracts/network/network';
import { tonTransactionByHash } from '../../../../projections/ton/messages';
import { tonTraces } from '../../../../projections/ton/traces/queries';
import { tonTransactions } from '../../../../projections/ton/transactions/queries';
import type { Relayer } from '../../../../services/gasless/deps';
import { relayForks, workRelayForks } from '../../../../services/gasless/forks/relay-forks';
import { openGaslessJobs, outcomesReaction, sendingReaction } from '../../../../services/gasless/relay/jobs';
import { keepFollowingRelays } from '../../../../services/gasless/relay/keep-following';
import { workGaslessOutcomes } from '../../../../services/gasless/relay/outcome-worker';
import {
  GASLESS_SENDING_AT_A_TIME,
  workGaslessSending,
} from '../../../../services/gasless/relay/sending-worker';
import { openGaslessCounts, relayFault, relayStatus } from '../../../../services/gasless/relay/status';
import { jobsOfLog } from '../../../../services/reactions/message-reaction';
import { networkMode } from '../../../config/network-settings';
import type { Check } from '../../health/health';
import type { Feature, ProgramDeps, Worker } from '../../feature';
import { jobHandlers } from '../../roles/jobs';
import { watchOf } from '../watch/account-watch';
import { faultyJettons, keepLookingAtJettons } from './jetton-states';
import { gaslessSendingMetrics } from './sending-metrics';

export type Relayers = (network: TonNetwork) => Relayer | null;

export interface SendingOptions {
  /** Milliseconds between two looks at a relay wallet while nothing is sent; default a minute. */
  readonly followMs?: number;
}

/** Sends on what was accepted of wallets, and records what became of it. */
export function gaslessSendingWith(
  relayersOf: (deps: ProgramDeps) => Promise<Relayers>,
  options: SendingOptions = {},
): Feature {
  return {
    name: 'gasless-sending',
    bounds: [GASLESS_SENDING_AT_A_TIME],
    metrics: gaslessSendingMetrics,
    reactions: ({ engines: { store } }) => [sendingReaction, outcomesReaction, relayForks(store)],
    reenqueue: ({ engines: { store, log } }) => {
      const forks = relayForks(store);
      return [
        { name: 'gasless-sending', jobs: () => openGaslessJobs(store) },
        { name: forks.name, jobs: () => jobsOfLog(log, forks) },
      ];
    },
    workers: [sendingWorker(relayersOf, options)],
  };
}

function sendingWorker(
  relayersOf: (deps: ProgramDeps) => Promise<Relayers>,
  options: SendingOptions,
): Worker {
  const working = jobHandlers('gasless', deps => {
    const { engine, engines, handle, clock, logger, metrics } = deps;
    const { store, jobs } = engines;
    const watch = watchOf(deps);
    const shared = { store, jobs, handle, clock, logger };
    const chain = {
      transactionByHash: tonTransactionByHash(engine.views),
      transactions: tonTransactions(engine.views),
      traces: tonTraces(engine.views),
    };
    return [
      async signal => {
        const relayer = await relayersOf(deps);
        return workGaslessSending({ ...shared, relayer, watch: account => watch(account) }, signal);
      },
      async signal => {
        const relayer = await relayersOf(deps);
        return keepFollowingRelays({ ...shared, ...options, relayer }, signal);
      },
      async signal => {
        const relayer = await relayersOf(deps);
        const relayers = deps.networks.followed.ton.flatMap(network => relayer(network) ?? []);
        return keepLookingAtJettons(relayers, signal);
      },
      signal =>
        workGaslessOutcomes(
          {
            ...shared,
            ...chain,
            onOutcome: outcome => metrics.of(gaslessSendingMetrics).outcomes.inc({ outcome }),
          },
          signal,
        ),
      signal => workRelayForks({ ...shared, ...chain }, signal),
    ];
  });
  return {
    ...working,
    async start(deps) {
      const relayers = await relayersOf(deps);
      const found = deps.networks.followed.ton.flatMap(network => relayers(network) ?? []);
      const component = await working.start(deps);
      // The wallet of a local network is filled by its traffic, and empty without it: nobody has to look at that.
      const watched = found.filter(
        ({ network }) => networkMode(deps.config, { chain: 'ton', network }) !== 'local',
      );
      return {
        ...component,
        checks: [
          ...(component.checks ?? []),
          ...watched.flatMap(relayer => [relayCheck(deps, relayer), jettonCheck(relayer)]),
        ],
        refresh: () => refreshMetrics(deps, found),
      };
    },
  };
}

/** Nothing is accepted while it fails; everything else is served. */
function relayCheck({ engines: { store }, clock }: ProgramDeps, relayer: Relayer): Check {
  return {
    name: `gasless_relay_${relayer.network}`,
    vital: false,
    run: async () => relayFault(await relayStatus({ store }, relayer), clock().getTime()),
  };
}

/** Transfers of other jettons go on. */
function jettonCheck(relayer: Relayer): Check {
  const { network } = relayer;
  return {
    name: `gasless_jettons_${network}`,
    vital: false,
    async run() {
      const found = (await faultyJettons(relayer)).map(
        ({ jetton: { master }, fault }) => `${formatTonAddress(master, network)} (${fault})`,
      );
      if (found.length === 0) return null;
      return `jettons that cannot pay, see tidemark gasless tokens: ${found.join(', ')}`;
    },
  };
}

const NANOTONS = 1e9;

async function refreshMetrics(
  { engines: { store, jobs }, metrics }: ProgramDeps,
  relayers: readonly Relayer[],
): Promise<void> {
  const { sending, unknown, inMessage, balance, otherCode, unusable } = metrics.of(gaslessSendingMetrics);
  const counts = await openGaslessCounts(jobs);
  sending.set(counts.sending);
  unknown.set(counts.unknown);
  for (const relayer of relayers) {
    const faulty = await faultyJettons(relayer);
    const changed = faulty.filter(({ isOtherCode }) => isOtherCode);
    otherCode.set({ network: relayer.network }, changed.length);
    unusable.set({ network: relayer.network }, faulty.length - changed.length);
    // A node that does not answer leaves the last values.
    const status = await relayStatus({ store }, relayer).catch(() => null);
    if (!status) continue;
    inMessage.set({ network: relayer.network }, status.live?.requests ?? 0);
    balance.set({ network: relayer.network }, Number(status.balance) / NANOTONS);
  }
}
