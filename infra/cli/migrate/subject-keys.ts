import {
  changesCheckpoint,
  ERASURE_KEYS,
  type KeyDocument,
} from '../../../services/personal-texts/key-documents';
import { MASTER_KEY_CHECKPOINT } from '../../../services/personal-texts/keys';
import type { Documents } from '../../../contracts/ports/documents';

const PAGE = 500;

/**
 * Copies the keys of personal texts, and that keys were destroyed, without the days of their last use: the target has recorded its
 * events later, from which their age counts. The keys are still wrapped, so the target needs the same master
 * key. A key that was destroyed here after a first attempt had copied it is destroyed there too. @returns the number of
 * subjects
 */
export async function copySubjectKeys(from: Documents, to: Documents, signal: AbortSignal): Promise<number> {
  await from.declare([ERASURE_KEYS]);
  await to.declare([ERASURE_KEYS]);
  const master = await from.checkpoint(MASTER_KEY_CHECKPOINT);
  if (master) await to.commit({ writes: [], checkpoint: { name: MASTER_KEY_CHECKPOINT, value: master } });
  let copied = 0;
  for await (const documents of from.scan<KeyDocument>(ERASURE_KEYS.name, { limit: PAGE }))
    for (const document of documents) {
      signal.throwIfAborted();
      const name = changesCheckpoint(document._id);
      const value = await from.checkpoint(name);
      await to.commit({
        writes: [{ collection: ERASURE_KEYS.name, id: document._id, document: withoutDay(document) }],
        ...(value && 'position' in value && { checkpoint: { name, value: { position: value.position } } }),
      });
      copied++;
    }
  return copied;
}

function withoutDay({ usedAt, ...document }: KeyDocument): KeyDocument {
  return usedAt === null ? { ...document, usedAt } : document;
}
