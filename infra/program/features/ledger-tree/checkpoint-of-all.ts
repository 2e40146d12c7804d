import type { Checkpoint } from '../../../../contracts/ledger-tree/checkpoint';
import { LedgerTreeBehind, waitUntilIncluded } from '../../../../services/ledger-tree/prover';
import type { Config } from '../../../config/settings';
import type { Engines } from '../../../engines/engines';
import { mayBeRunning } from '../../commands/running-program';
import type { LedgerTreeServices } from './ledger-tree';

/** How long a command waits for the ledger tree of a running program. */
export const TREE_WAIT_MS = 10_000;

/** The same, and nothing where no program can be running. */
export function treeWaitMs(config: Config): number {
  return mayBeRunning(config) ? TREE_WAIT_MS : 0;
}

/** Signed now, unless the last one covers everything. The program has to be running, since it builds the tree. */
export async function checkpointOfAll(
  { store }: Pick<Engines, 'store'>,
  tree: LedgerTreeServices,
  waitMs: number,
): Promise<Checkpoint> {
  const head = await store.head();
  await waitUntilIncluded(tree.reader, head, waitMs).catch(sayingWhoBuildsIt);
  return tree.checkpoints.sign(await tree.reader.headAt(head), new Date().toISOString());
}

function sayingWhoBuildsIt(error: unknown): never {
  if (!(error instanceof LedgerTreeBehind)) throw error;
  const text = `${error.message}: a program that runs builds it, and \`tidemark status\` shows how far it is`;
  throw new Error(text, { cause: error });
}
