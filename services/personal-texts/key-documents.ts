import {
  type Checkpoint,
  CheckpointMoved,
  type CollectionSpec,
  type Document,
  type Documents,
} from '../../contracts/ports/documents';

/** The keys of personal texts. Not a projection: they cannot be rebuilt. */
export const ERASURE_KEYS: CollectionSpec = { name: 'erasure_keys', indexes: [] };

/**
 * The stored key of a subject. The document remains when the key is destroyed, so that no late writer can restore the key. One that
 * was never destroyed is deleted once it encrypts nothing any more (unused-keys.ts).
 */
export interface KeyDocument extends Document {
  readonly _id: string;
  /** How often a key was created or destroyed; the same number as in the subject's checkpoint. */
  readonly changes: number;
  /** `wrapped` is the key, encrypted with the master key (aes-gcm.ts), in base64; null once it was destroyed. */
  readonly key: { readonly id: string; readonly wrapped: string } | null;
  /**
   * The day of its last use, the same as in the subject's checkpoint. Null: it also encrypts texts that have no age. Absent: its
   * texts are older than days were recorded, or have no age.
   */
  readonly usedAt?: string | null;
}

/** The day of an instant in UTC: `2026-03-01`. */
export function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/** A checkpoint per subject: two concurrent programs cannot both move it. */
export function changesCheckpoint(subject: string): string {
  return `erasure/${subject}`;
}

/** The checkpoint that is stored with the document of a key: whatever changes of that changes it. */
export function checkpointWith({ changes, usedAt }: KeyDocument): Checkpoint {
  return { position: changes, ...(typeof usedAt === 'string' && { stamp: usedAt }) };
}

/** What is stored of a subject. */
export interface StoredKey {
  /** Expected by the next change. */
  readonly checkpoint: Checkpoint | null;
  readonly document: KeyDocument | null;
  /** How often the key has changed: the document is ahead of the checkpoint only when it was restored without it. */
  readonly changes: number;
}

/** Reads the checkpoint before the document, so that it is never the newer of the two. */
export async function readKey(documents: Documents, subject: string): Promise<StoredKey> {
  const checkpoint = await documents.checkpoint(changesCheckpoint(subject));
  const document = await documents.get<KeyDocument>(ERASURE_KEYS.name, subject);
  const moved = checkpoint && 'position' in checkpoint ? checkpoint.position : 0;
  return { checkpoint, document, changes: Math.max(moved, document?.changes ?? 0) };
}

/** Stores another document of a subject instead of what was read; null deletes all of it. False when another writer was faster. */
export async function changeKey(
  documents: Documents,
  subject: string,
  { checkpoint: expect }: StoredKey,
  document: KeyDocument | null,
): Promise<boolean> {
  const value = document && checkpointWith(document);
  try {
    await documents.commit({
      writes: [{ collection: ERASURE_KEYS.name, id: subject, document }],
      checkpoint: { name: changesCheckpoint(subject), value, expect },
    });
    return true;
  } catch (error) {
    if (error instanceof CheckpointMoved) return false;
    throw error;
  }
}
