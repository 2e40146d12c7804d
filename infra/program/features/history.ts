import { TON_INDEXER_STATE } from '../../../indexers/ton/indexer';
import { solanaPageSources } from '../../../projections/solana/transactions/queries';
import { tonTraces } from '../../../projections/ton/traces/queries';
import { tonTransactions } from '../../../projections/ton/transactions/queries';
import { historyRoutes } from '../../../services/history/routes';
import { cardEventsOfWallet } from '../../../services/card/history/wallet-events';
import { readMentions } from '../../../services/solana/transactions';
import type { Feature } from '../feature';
import { cardCallerDeps } from './card/caller';
import { watchOf } from './watch/account-watch';
import { solanaReadDeps } from './solana';
import { shownContracts } from './ton-contracts';

/** Transaction history of both chains, in all its versions. */
export const history: Feature = {
  name: 'history',
  routes(deps) {
    const { engine, engines, networks, readWait, logger } = deps;
    const { views } = engine;
    const solana = solanaReadDeps(deps);
    const observeShown = shownContracts(deps);
    return historyRoutes({
      cached: views.cached,
      transactions: tonTransactions(views),
      traces: tonTraces(views),
      async isIndexed(network) {
        const statuses = await TON_INDEXER_STATE.status(engines.documents);
        const status = statuses.find(({ indexer }) => indexer === `ton ${network}`);
        return !!status && status.gap === null && status.indexedHeight >= (status.tip ?? Infinity);
      },
      solana: {
        page: (network, accounts, page, reading) => readMentions(solana, network, accounts, page, reading),
        sources: solanaPageSources,
      },
      cardEvents: (request, call) => cardEventsOfWallet(cardCallerDeps(deps), request, call),
      followed: networks.followed,
      watch: watchOf(deps),
      onShown: (network, addresses, reader) => void observeShown(network, addresses, reader),
      logger,
      ...readWait,
    });
  },
};
