import { earnedFees } from '../../../../services/billing/earned/reaction';
import { gaslessCommissions, gaslessEarnings } from '../../../../services/gasless/earnings/jobs';
import { workGaslessCommissions } from '../../../../services/gasless/earnings/worker';
import { jobsOfEvents } from '../../../../services/reactions/event-reaction';
import type { Feature } from '../../feature';
import { jobHandlers } from '../../roles/jobs';
import { tonPriceIn } from '../rates';

const earnings = earnedFees(gaslessEarnings);
const reactions = [gaslessCommissions, earnings];

/** The commissions of gasless transfers on the main network, as fees of the ledger. */
export const gaslessCommissionFees: Feature = {
  name: 'gasless-commissions',
  reactions: () => reactions,
  reenqueue: ({ engines: { store } }) =>
    reactions.map(reaction => ({ name: reaction.name, jobs: () => jobsOfEvents(store, reaction) })),
  workers: [
    jobHandlers('gasless_commissions', ({ config, engine, engines, handle, clock }) => {
      const tonPrice = () => tonPriceIn({ config, engine, clock }, config.INSTANCE_CURRENCY);
      return [signal => workGaslessCommissions({ ...engines, handle, clock, tonPrice }, signal)];
    }),
  ],
};
