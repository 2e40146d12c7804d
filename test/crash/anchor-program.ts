import { setTimeout as sleep } from 'node:timers/promises';
import { recordedAnchors } from '../../services/ledger-tree/anchor/anchors';
import { ANCHOR_NOW } from '../../services/ledger-tree/anchor/worker';
import { openInstance } from '../billing/instance';

/** Of a program that anchors heads on a network that is not its own. */
export function anchoringSettings(url: string): Record<string, string> {
  return {
    TON_RPC_URL_TESTNET: url,
    LEDGER_ANCHOR_NETWORK: 'testnet',
    LEDGER_CHECKPOINT_EVENTS: '1',
  };
}

const POLL_MS = 50;

/** Records fees and has each anchored, in a process of its own that its parent kills. It tells each fee, and each head. */
async function run(url: string, folder: string, name: string): Promise<void> {
  const instance = await openInstance({
    roles: ['api', 'projections', 'jobs'],
    settings: anchoringSettings(url),
    folder,
  });
  const anchored = async (): Promise<number> => {
    let size = 0;
    for await (const { anchor } of recordedAnchors(instance.store)) size = anchor.checkpoint.size;
    return size;
  };
  process.send!('ready');
  for (let fees = 1; ; fees++) {
    const before = await anchored();
    await instance.record([{ id: `${name}-${fees}` }]);
    process.send!('recorded');
    while ((await anchored()) <= before) {
      await instance.engines.jobs.add(ANCHOR_NOW);
      await sleep(POLL_MS);
    }
    process.send!('anchored');
  }
}

if (process.send) void run(process.argv[2]!, process.argv[3]!, process.argv[4]!);
