import { tonTraces } from '../../../../projections/ton/traces/queries';
import { tonTransactions } from '../../../../projections/ton/transactions/queries';
import { handoverReaction, workGaslessHandovers } from '../../../../services/gasless/handover/outcome-worker';
import { jobsOfEvents } from '../../../../services/reactions/event-reaction';
import type { Feature } from '../../feature';
import { jobHandlers } from '../../roles/jobs';

/** Records what became of transfers that were handed over to the relayer of somebody else. */
export const gaslessHandovers: Feature = {
  name: 'gasless-handovers',
  reactions: () => [handoverReaction],
  reenqueue: ({ engines: { store } }) => [
    { name: handoverReaction.name, jobs: () => jobsOfEvents(store, handoverReaction) },
  ],
  workers: [
    jobHandlers('gasless_handovers', ({ engine, engines, sources, handle, clock }) => [
      signal =>
        workGaslessHandovers(
          {
            ...{ store: engines.store, jobs: engines.jobs, handle, clock },
            client: network => sources.clients.ton(network),
            transactions: tonTransactions(engine.views),
            traces: tonTraces(engine.views),
          },
          signal,
        ),
    ]),
  ],
};
