import type { Checkpoint } from '../../../../contracts/ledger-tree/checkpoint';
import { waitUntilIncluded } from '../../../../services/ledger-tree/prover';
import type { Engines } from '../../../engines/engines';
import type { LedgerTreeServices } from './ledger-tree';

/** How long a command waits for the ledger tree of a running program. */
export const TREE_WAIT_MS = 10_000;

/** Signed now, unless the last one covers everything. The program has to be running, since it builds the tree. */
export async function checkpointOfAll(
  { store }: Pick<Engines, 'store'>,
  tree: LedgerTreeServices,
): Promise<Checkpoint> {
  const head = await store.head();
  await waitUntilIncluded(tree.reader, head, TREE_WAIT_MS);
  return tree.checkpoints.sign(await tree.reader.headAt(head), new Date().toISOString());
}
