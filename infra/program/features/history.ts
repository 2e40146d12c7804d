import { Problem } from '../../../contracts/problem';
import { solanaPageSources } from '../../../projections/solana/transactions/queries';
import { tonTraces } from '../../../projections/ton/traces/queries';
import { tonTransactions } from '../../../projections/ton/transactions/queries';
import { historyRoutes } from '../../../services/history/routes';
import { readMentions, type ReadPage } from '../../../services/solana/transactions';
import type { Feature } from '../feature';
import { solanaReadDeps } from './solana';
import { shownContracts, type TonContractsConfig } from './ton-contracts';

/** Transaction history of both chains, in all its versions. */
export const history: Feature<TonContractsConfig> = {
  name: 'history',
  routes(deps) {
    const { engine, watch, readWait, logger } = deps;
    const { views } = engine;
    const solana = solanaReadDeps(deps);
    const observeShown = shownContracts(deps);
    return historyRoutes({
      cached: views.cached,
      transactions: tonTransactions(views),
      traces: tonTraces(views),
      solana: {
        page: (network, accounts, page) => readMentions(solana, network, accounts, page).catch(withoutSolana),
        sources: solanaPageSources,
      },
      watch,
      onShown: (network, addresses) => void observeShown(network, addresses),
      logger,
      ...readWait,
    });
  },
};

/** Nothing of Solana is known so far: the wallet sees its transactions on TON meanwhile. */
function withoutSolana(error: unknown): ReadPage {
  if (error instanceof Problem && error.code === 'not_ready') return { items: [], complete: false };
  throw error;
}
