import { gaslessHandoverCounts, gaslessHandoversOf } from '../../../../projections/gasless/sends';
import { tonTransactionByHash } from '../../../../projections/ton/messages';
import { tonTraces } from '../../../../projections/ton/traces/queries';
import { tonTransactions } from '../../../../projections/ton/transactions/queries';
import { handoverForks, workHandoverForks } from '../../../../services/gasless/forks/handover-forks';
import { handoverReaction, workGaslessHandovers } from '../../../../services/gasless/handover/outcome-worker';
import { jobsOfEvents } from '../../../../services/reactions/event-reaction';
import { jobsOfLog } from '../../../../services/reactions/message-reaction';
import type { Feature, ProgramDeps, Worker } from '../../feature';
import { jobHandlers } from '../../roles/jobs';
import { gaslessHandoverMetrics, setHandoverMetrics } from './handover-metrics';

const forksIn = ({ engine }: Partial<Pick<ProgramDeps, 'engine'>>) =>
  handoverForks({ handoversOf: (...asked) => gaslessHandoversOf(engine!.views)(...asked) });

/** Records what became of transfers that were handed over to the relayer of somebody else. */
export const gaslessHandovers: Feature = {
  name: 'gasless-handovers',
  metrics: gaslessHandoverMetrics,
  reactions: deps => [handoverReaction, forksIn(deps)],
  reenqueue: deps => {
    const { store, log } = deps.engines;
    const forks = forksIn(deps);
    return [
      { name: handoverReaction.name, jobs: () => jobsOfEvents(store, handoverReaction) },
      { name: forks.name, jobs: () => jobsOfLog(log, forks) },
    ];
  },
  workers: [handoverWorker()],
};

function handoverWorker(): Worker {
  const working = jobHandlers(
    'gasless_handovers',
    ({ engine: { views }, engines, sources, handle, clock }) => {
      const { store, jobs } = engines;
      const chain = {
        transactions: tonTransactions(views),
        traces: tonTraces(views),
        transactionByHash: tonTransactionByHash(views),
      };
      const deps = { store, jobs, handle, clock, ...chain };
      return [
        signal => workGaslessHandovers({ ...deps, client: network => sources.clients.ton(network) }, signal),
        signal => workHandoverForks({ ...chain, jobs, handoversOf: gaslessHandoversOf(views) }, signal),
      ];
    },
  );
  return {
    ...working,
    start: async deps => ({
      ...(await working.start(deps)),
      async refresh() {
        const { engine, metrics, clock } = deps;
        const counts = await gaslessHandoverCounts(engine.views);
        setHandoverMetrics(metrics.of(gaslessHandoverMetrics), counts, clock().getTime());
      },
    }),
  };
}
