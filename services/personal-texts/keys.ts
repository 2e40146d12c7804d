import { createHash, randomBytes } from 'node:crypto';
import {
  CheckpointMoved,
  type CollectionSpec,
  type Document,
  type Documents,
} from '../../contracts/ports/documents';
import { decodeBase64 } from '../../contracts/encoding/base64';
import { decrypt, encrypt, KEY_BYTES } from './aes-gcm';

/** The keys of personal texts. Not a projection: they cannot be rebuilt. */
export const ERASURE_KEYS: CollectionSpec = { name: 'erasure_keys', indexes: [] };

export interface SubjectKey {
  /** Distinguishes it from earlier keys of the subject; 16 letters, digits, `-` and `_`. */
  readonly id: string;
  /** 32 bytes. */
  readonly key: Buffer;
}

/** The stored key of a subject. The document remains when the key is destroyed, so that no late writer can restore the key. */
interface KeyDocument extends Document {
  readonly _id: string;
  /** How often a key was created or destroyed; the same number as in the subject's checkpoint. */
  readonly changes: number;
  /** `wrapped` is the key, encrypted with the master key (aes-gcm.ts), in base64; null once it was destroyed. */
  readonly key: { readonly id: string; readonly wrapped: string } | null;
}

/** One key per subject, stored encrypted with the master key and not cached in memory. */
export interface SubjectKeys {
  /** The key of a subject, created if there is none. It is durable when this resolves, and the same for concurrent callers. */
  ofSubject(subject: string): Promise<SubjectKey>;
  /** The existing keys of the subjects. */
  ofSubjects(subjects: Iterable<string>): Promise<ReadonlyMap<string, SubjectKey>>;
  /**
   * Destroys the key of a subject. Idempotent.
   * @returns how many keys of the subject were destroyed so far; 0 when it never had one
   */
  destroy(subject: string): Promise<number>;
}

/** The keys were encrypted with another master key. */
export class WrongMasterKey extends Error {
  override readonly name = 'WrongMasterKey';
}

/** A checkpoint per subject: two concurrent programs cannot both move it. */
export function changesCheckpoint(subject: string): string {
  return `erasure/${subject}`;
}

/** Opens the keys. @param masterKey 32 bytes. @throws WrongMasterKey */
export async function openSubjectKeys(documents: Documents, masterKey: Buffer): Promise<SubjectKeys> {
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

  const find = (subject: string) => documents.get<KeyDocument>(ERASURE_KEYS.name, subject);

  /** How often the key of a subject has changed. Read before the document, so that it is never the newer of the two. */
  const changesOf = async (subject: string): Promise<number> => {
    const moved = await documents.checkpoint(changesCheckpoint(subject));
    return moved && 'position' in moved ? moved.position : 0;
  };

  /** False when another writer was faster. */
  const change = async (from: number, document: KeyDocument): Promise<boolean> => {
    const { _id: subject, changes } = document;
    try {
      await documents.commit({
        writes: [{ collection: ERASURE_KEYS.name, id: subject, document }],
        checkpoint: {
          name: changesCheckpoint(subject),
          value: { position: changes },
          expect: from === 0 ? null : { position: from },
        },
      });
      return true;
    } catch (error) {
      if (error instanceof CheckpointMoved) return false;
      throw error;
    }
  };

  return {
    async ofSubject(subject) {
      for (let from: number | null = null; ; from = await changesOf(subject)) {
        const found = await find(subject);
        const known = found && unwrap(found);
        if (known) return known;
        if (from === null) continue;
        const made = { id: randomBytes(12).toString('base64url'), key: randomBytes(KEY_BYTES) };
        const wrapped = encrypt(masterKey, associatedDataOf(subject, made.id), made.key).toString('base64');
        const changes = Math.max(from, found?.changes ?? 0) + 1;
        if (await change(from, { _id: subject, changes, key: { id: made.id, wrapped } })) return made;
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
        const from = await changesOf(subject);
        // The document is ahead of the checkpoint only when it was restored without the checkpoint.
        const changes = Math.max(from, (await find(subject))?.changes ?? 0);
        if (changes === 0) return 0;
        // After an even number of changes there is no key. The document is written again anyway, in case an earlier
        // attempt was interrupted before the engine had overwritten the old one.
        const after = changes + (changes % 2);
        if (await change(from, { _id: subject, changes: after, key: null })) return after / 2;
      }
    },
  };
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
