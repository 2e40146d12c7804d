import { runLedgerTreeBuilder } from '../../../services/ledger-tree/builder';
import { ledgerKeyRoutes } from '../../../services/ledger-tree/routes';
import { keysCommand } from '../../cli/keys';
import { proofCommand } from '../../cli/proof';
import { verifyCommand } from '../../cli/verify';
import type { Feature } from '../feature';
import { LEDGER_SETTINGS, ledgerTree, type LedgerConfig } from '../ledger-tree';

const LEASE = 'ledger-tree';
const MINUTE_MS = 60_000;

/** The Merkle tree over the events of the ledger, its signed checkpoints, and the keys that verify them. */
export const ledger: Feature<LedgerConfig> = {
  name: 'ledger',
  settings: LEDGER_SETTINGS,
  async routes(deps) {
    const { keys } = await deps.use(ledgerTree);
    return ledgerKeyRoutes(keys);
  },
  workers: [
    {
      role: 'projections',
      async start(deps) {
        const { config, engines, leases, clock, logger, signal } = deps;
        const { done, fault } = runLedgerTreeBuilder(
          {
            ...engines,
            ...(await deps.use(ledgerTree)),
            logger,
            now: clock,
            checkpointEvery: {
              events: config.LEDGER_CHECKPOINT_EVENTS,
              milliseconds: config.LEDGER_CHECKPOINT_MINUTES * MINUTE_MS,
            },
            ...(leases && { runExclusively: (run, until) => leases.runExclusively(LEASE, run, until) }),
          },
          signal,
        );
        return { done, checks: [{ name: 'ledger_tree', vital: false, run: async () => fault() }] };
      },
    },
  ],
  commands: [verifyCommand, proofCommand, keysCommand],
};
