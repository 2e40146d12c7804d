import type { Documents } from '../../../contracts/ports/documents';
import { FEATURES } from '../../program/features';

const STATES = FEATURES.all.flatMap(({ indexers }) => indexers ?? []);
const COLLECTIONS = STATES.flatMap(({ collections }) => collections);
const CHECKPOINTS = STATES.flatMap(({ checkpoints }) => checkpoints);
const PAGE = 500;

/**
 * Copies the state of the indexers and their backfills, so that they continue where they were.
 * @returns the number of documents
 */
export async function copyIndexers(from: Documents, to: Documents, signal: AbortSignal): Promise<number> {
  await from.declare(COLLECTIONS);
  await to.declare(COLLECTIONS);
  let copied = 0;
  for (const { name: collection } of COLLECTIONS)
    for await (const documents of from.scan(collection, { limit: PAGE })) {
      signal.throwIfAborted();
      await to.commit({ writes: documents.map(document => ({ collection, id: document._id, document })) });
      copied += documents.length;
    }
  for (const name of CHECKPOINTS) {
    const value = await from.checkpoint(name);
    if (value) await to.commit({ writes: [], checkpoint: { name, value } });
  }
  return copied;
}
