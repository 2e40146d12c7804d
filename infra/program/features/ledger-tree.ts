import { ledgerCommands } from './ledger-tree/commands';
import { runLedgerTreeBuilder } from '../../../services/ledger-tree/builder';
import { watchUnreadEvents } from '../../../services/ledger-tree/watch-unread-events';
import { ledgerKeyRoutes } from '../../../services/ledger-tree/routes';
import type { Feature } from '../feature';
import { anchoring } from './ledger-tree/anchor/anchoring';
import { ANCHOR_SETTINGS, checkAnchorSettings } from './ledger-tree/anchor/settings';
import { LEDGER_SETTINGS, ledgerTree } from './ledger-tree/ledger-tree';

const LEASE = 'ledger-tree';
const MINUTE_MS = 60_000;

/** The Merkle tree over the events of the ledger, its signed checkpoints, the keys that verify them, and their anchors on TON. */
export const ledger: Feature = {
  name: 'ledger-tree',
  commands: ledgerCommands,
  settings: { ...LEDGER_SETTINGS, ...ANCHOR_SETTINGS },
  settingPrefixes: ['LEDGER_CHECKPOINT', 'LEDGER_KEYS', 'LEDGER_ANCHOR'],
  checkSettings: checkAnchorSettings,
  async routes(deps) {
    const { keys } = await deps.use(ledgerTree);
    return ledgerKeyRoutes(keys);
  },
  workers: [
    {
      role: 'projections',
      async start(deps) {
        const { config, engines, leases, clock, logger, signal } = deps;
        const tree = await deps.use(ledgerTree);
        const { LEDGER_CHECKPOINT_EVENTS: events, LEDGER_CHECKPOINT_MINUTES: minutes } =
          config.of(LEDGER_SETTINGS);
        const { done, fault } = runLedgerTreeBuilder(
          {
            ...engines,
            ...tree,
            logger,
            now: clock,
            checkpointEvery: { events, milliseconds: minutes * MINUTE_MS },
            ...(leases && { runExclusively: (run, until) => leases.runExclusively(LEASE, run, until) }),
          },
          signal,
        );
        const unread = watchUnreadEvents({ ...engines, ...tree }, logger, signal);
        return {
          done: Promise.all([done, unread.done]).then(() => undefined),
          checks: [
            { name: 'ledger_tree', vital: false, run: async () => fault() },
            { name: 'unread_events', vital: false, run: async () => unread.found() },
          ],
        };
      },
    },
    anchoring,
  ],
};
