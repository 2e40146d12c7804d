import { solanaPageSources } from '../../../projections/solana/transactions/queries';
import { tonTransactions } from '../../../projections/ton/transactions/queries';
import { historyRoutes } from '../../../services/history/routes';
import { readMentions } from '../../../services/solana/transactions';
import type { Feature } from '../feature';
import { READ_WAIT_MS } from '../read-wait';
import { solanaReadDeps } from './solana';

/** Transaction history of both chains, in all its versions. */
export const history: Feature = {
  name: 'history',
  routes(deps) {
    const { engine, watch, logger } = deps;
    const { views } = engine;
    const solana = solanaReadDeps(deps);
    return historyRoutes({
      cached: views.cached,
      transactions: tonTransactions(views),
      solana: {
        page: (network, accounts, page) => readMentions(solana, network, accounts, page),
        sources: solanaPageSources,
      },
      watch,
      logger,
      waitMs: READ_WAIT_MS,
    });
  },
};
