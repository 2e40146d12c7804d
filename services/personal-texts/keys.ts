import { createHash, randomBytes } from 'node:crypto';
import { CheckpointMoved, type Documents } from '../../contracts/ports/documents';
import { decodeBase64 } from '../../contracts/encoding/base64';
import { decrypt, encrypt, KEY_BYTES } from './aes-gcm';
import { changeKey, dayOf, ERASURE_KEYS, type KeyDocument, readKey } from './key-documents';

export interface SubjectKey {
  /** Distinguishes it from earlier keys of the subject; 16 letters, digits, `-` and `_`. */
  readonly id: string;
  /** 32 bytes. */
  readonly key: Buffer;
}

/** One key per subject, stored encrypted with the master key and not cached in memory. */
export interface SubjectKeys {
  /**
   * The key of a subject, created if there is none. It is durable when this resolves, and the same for concurrent callers.
   * @param hasAge of a text that goes with its age: the day is recorded, and the key goes when it was not used for long
   */
  ofSubject(subject: string, use?: { readonly hasAge: boolean }): Promise<SubjectKey>;
  /** The existing keys of the subjects. */
  ofSubjects(subjects: Iterable<string>): Promise<ReadonlyMap<string, SubjectKey>>;
  /**
   * Destroys the key of a subject. Idempotent.
   * @returns how many keys of the subject were destroyed so far; 0 when it has none and had none before
   */
  destroy(subject: string): Promise<number>;
}

/** The keys were encrypted with another master key. */
export class WrongMasterKey extends Error {
  override readonly name = 'WrongMasterKey';
}

/** Opens the keys. @param masterKey 32 bytes. @throws WrongMasterKey */
export async function openSubjectKeys(
  documents: Documents,
  masterKey: Buffer,
  clock: () => Date = () => new Date(),
): Promise<SubjectKeys> {
  await documents.declare([ERASURE_KEYS]);
  await expectMasterKey(documents, masterKey);

  const unwrap = ({ _id: subject, key }: KeyDocument): SubjectKey | null => {
    if (!key) return null;
    const wrapped = decodeBase64(key.wrapped);
    const unwrapped = wrapped && decrypt(masterKey, associatedDataOf(subject, key.id), wrapped);
    if (!unwrapped)
      throw new WrongMasterKey(`the key of ${subject} cannot be decrypted with this master key`);
    return { id: key.id, key: unwrapped };
  };

  return {
    async ofSubject(subject, { hasAge } = { hasAge: false }) {
      const today = dayOf(clock());
      const isRecorded = ({ usedAt }: KeyDocument): boolean =>
        usedAt === null || (hasAge ? usedAt !== undefined && usedAt >= today : usedAt === undefined);
      const usedAt = hasAge ? today : null;
      const found = await documents.get<KeyDocument>(ERASURE_KEYS.name, subject);
      const known = found && isRecorded(found) ? unwrap(found) : null;
      if (known) return known;
      for (;;) {
        const stored = await readKey(documents, subject);
        const { document } = stored;
        const current = document && unwrap(document);
        if (current) {
          if (isRecorded(document) || (await changeKey(documents, subject, stored, { ...document, usedAt })))
            return current;
          continue;
        }
        const made = newKey();
        const wrapped = encrypt(masterKey, associatedDataOf(subject, made.id), made.key).toString('base64');
        const key = { id: made.id, wrapped };
        const created = { _id: subject, changes: stored.changes + 1, key, usedAt };
        if (await changeKey(documents, subject, stored, created)) return made;
      }
    },

    async ofSubjects(subjects) {
      const found = await documents.getMany<KeyDocument>(ERASURE_KEYS.name, [...new Set(subjects)]);
      const keys = [...found.values()].flatMap(document => {
        const key = unwrap(document);
        return key ? [[document._id, key] as const] : [];
      });
      return new Map(keys);
    },

    async destroy(subject) {
      for (;;) {
        const stored = await readKey(documents, subject);
        const { changes } = stored;
        if (changes === 0) return 0;
        // After an even number of changes there is no key. The document is written again anyway, in case an earlier
        // attempt was interrupted before the engine had overwritten the old one.
        const after = changes + (changes % 2);
        const destroyed = { _id: subject, changes: after, key: null };
        if (await changeKey(documents, subject, stored, destroyed)) return after / 2;
      }
    },
  };
}

export function newKey(): SubjectKey {
  return { id: randomBytes(12).toString('base64url'), key: randomBytes(KEY_BYTES) };
}

const associatedDataOf = (subject: string, keyId: string): string => `subject-key v1 ${keyId} ${subject}`;

/** Identifies the master key. The colon distinguishes it from the checkpoints of subjects, which begin with `erasure/`. */
export const MASTER_KEY_CHECKPOINT = 'erasure:master-key';

/** A one-way fingerprint of the master key, 48 bits. */
const fingerprintOf = (masterKey: Buffer): number =>
  createHash('sha256').update('tidemark erasure master key').update(masterKey).digest().readUIntBE(0, 6);

async function expectMasterKey(documents: Documents, masterKey: Buffer): Promise<void> {
  const value = { position: fingerprintOf(masterKey) };
  try {
    await documents.commit({ writes: [], checkpoint: { name: MASTER_KEY_CHECKPOINT, value, expect: null } });
  } catch (error) {
    if (!(error instanceof CheckpointMoved)) throw error;
    const stored = await documents.checkpoint(MASTER_KEY_CHECKPOINT);
    if (stored && 'position' in stored && stored.position === value.position) return;
    throw new WrongMasterKey('the keys of personal texts are encrypted with another master key');
  }
}
