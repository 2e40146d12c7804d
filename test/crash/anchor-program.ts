import { setTimeout as sleep } from 'node:timers/promises';
import {
  LEDGER_ANCHOR_CATEGORY,
  ledgerAnchorEvents,
  type LedgerAnchorEvent,
} from '../../contracts/events/ledger-anchor';
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

const ASKED_AGAIN = 20;

/**
 * Records a fee and has it anchored, in a process of its own that its parent kills. It tells when a message with the head is
 * signed, when the head is anchored, and when it was asked again and again to anchor what is anchored.
 */
async function run(url: string, folder: string, starts: number): Promise<void> {
  const instance = await openInstance({
    roles: ['api', 'projections', 'jobs'],
    settings: anchoringSettings(url),
    folder,
  });
  const newest = async (type: LedgerAnchorEvent['type']): Promise<number> => {
    let size = 0;
    for await (const batch of instance.store.readAll({ categories: [LEDGER_ANCHOR_CATEGORY] }))
      for (const event of batch.map(each => ledgerAnchorEvents.read(each)))
        if (event.type === type && 'checkpoint' in event.data) size = event.data.checkpoint.size;
    return size;
  };
  const anchorNow = async (): Promise<void> => {
    await instance.engines.jobs.add(ANCHOR_NOW);
    await sleep(POLL_MS);
  };
  process.send!('ready');
  // The ledger has one event of each start.
  await instance.record([{ id: `start${starts}` }]);
  while ((await newest('LedgerAnchorSigned')) < starts) await anchorNow();
  process.send!('signed');
  while ((await newest('LedgerHeadAnchored')) < starts) await anchorNow();
  process.send!('anchored');
  for (let asked = 0; asked < ASKED_AGAIN; asked++) {
    await anchorNow();
    await sleep(200);
  }
  process.send!('asked again');
}

if (process.send) void run(process.argv[2]!, process.argv[3]!, Number(process.argv[4]));
