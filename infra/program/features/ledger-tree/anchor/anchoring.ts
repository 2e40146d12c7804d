import { messageOf } from '../../../../../contracts/text/error-message';
import type { AnchorDeps } from '../../../../../services/ledger-tree/anchor/deps';
import { stopAnchors, workAnchors } from '../../../../../services/ledger-tree/anchor/worker';
import { networkMode } from '../../../../config/network-settings';
import type { ProgramDeps, Worker } from '../../../feature';
import { jobHandlers } from '../../../roles/jobs';
import { ledgerTree } from '../ledger-tree';
import { accountHistory } from './account-history';
import { grantCoins } from './local-node';
import { placeProofs } from './place-proofs';
import { ANCHOR_SETTINGS, anchorNetwork, openAnchorKeyFile } from './settings';

const MINUTE_MS = 60_000;

/** Anchors heads of the ledger on TON, where that is on. */
export const anchoring: Worker = {
  role: 'jobs',
  async start(deps) {
    const { config, engines } = deps;
    const anchors = await anchorDeps(deps);
    if (!anchors) {
      await stopAnchors(engines);
      return {};
    }
    const everyMs = config.of(ANCHOR_SETTINGS).LEDGER_ANCHOR_MINUTES * MINUTE_MS;
    let fault: string | null = null;
    const onRun = (error: unknown): void => {
      fault = error === null ? null : messageOf(error);
    };
    const worker = jobHandlers('ledger_anchor', () => [
      signal => workAnchors({ ...anchors, jobs: engines.jobs, everyMs, onRun }, signal),
    ]);
    const { checks = [], ...component } = await worker.start(deps);
    return {
      ...component,
      checks: [...checks, { name: 'ledger_anchor', vital: false, run: async () => fault }],
    };
  },
};

/** Null where heads are not anchored. */
async function anchorDeps(deps: ProgramDeps): Promise<AnchorDeps | null> {
  const { config, engines, networks, sources, handle, clock, logger, signal } = deps;
  const network = anchorNetwork(config);
  if (network === null) return null;
  const { checkpoints } = await deps.use(ledgerTree);
  const { proofOf } = await deps.use(placeProofs);
  const isLocal = networkMode(config, { chain: 'ton', network }) === 'local';
  const [url] = networks.ton[network];
  return {
    network,
    checkpoints,
    handle,
    clock,
    logger,
    store: engines.store,
    key: await openAnchorKeyFile(config),
    client: sources.clients.ton(network),
    history: (account, from) => accountHistory(sources.ton(network), account, from, signal),
    proofOf,
    ...(isLocal && { fund: account => grantCoins(url!, account) }),
  };
}
