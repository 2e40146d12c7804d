import { createHash, randomBytes } from 'node:crypto';
import {
  CheckpointMoved,
  type CollectionSpec,
  type Document,
  type Documents,
} from '../../contracts/ports/documents';
import { KEY_BYTES, lock, unlock } from './box';

/** The keys of people's texts. No projection: nothing could make them anew. */
export const ERASURE_KEYS: CollectionSpec = { name: 'erasure_keys', indexes: [] };

export interface SubjectKey {
  /** Tells it from the ones the subject had before; 16 letters, digits, `-` and `_`. */
  readonly id: string;
  /** 32 bytes. */
  readonly key: Buffer;
}

/** What is stored of a subject. It stays when the key goes, so that no late writer can bring the key back. */
interface KeyDocument extends Document {
  readonly _id: string;
  /** How often a key was made or destroyed; the same number stands in the checkpoint of the subject. */
  readonly changes: number;
  /** `wrapped` is base64 of the key under the master key, as box.ts has it; null once it was destroyed. */
  readonly key: { readonly id: string; readonly wrapped: string } | null;
}

/** One for each subject; wrapped under the master key, and in nobody's memory for longer than it is used. */
export interface SubjectKeys {
  /** The key of a subject; it is durable when this resolves, and the same for all who ask at once. */
  ofSubject(subject: string): Promise<SubjectKey>;
  /** Those that there are. */
  ofSubjects(subjects: Iterable<string>): Promise<ReadonlyMap<string, SubjectKey>>;
  /**
   * Destroys the key of a subject for good; again changes nothing.
   * @returns how often this has happened to the subject; 0 when there never was a key
   */
  destroy(subject: string): Promise<number>;
}

/** The keys were wrapped under another master key. */
export class WrongMasterKey extends Error {
  override readonly name = 'WrongMasterKey';
}

/** A checkpoint for each subject is what two programs at once cannot both move. */
export function changesCheckpoint(subject: string): string {
  return `erasure/${subject}`;
}

/** Opens the keys. @param masterKey 32 bytes. @throws WrongMasterKey */
export async function openSubjectKeys(documents: Documents, masterKey: Buffer): Promise<SubjectKeys> {
  await documents.declare([ERASURE_KEYS]);
  await expectMasterKey(documents, masterKey);

  const unwrap = ({ _id: subject, key }: KeyDocument): SubjectKey | null => {
    if (!key) return null;
    const opened = unlock(masterKey, aboutOf(subject, key.id), Buffer.from(key.wrapped, 'base64'));
    if (!opened) throw new WrongMasterKey(`the key of ${subject} cannot be unwrapped with this master key`);
    return { id: key.id, key: opened };
  };

  const find = (subject: string) => documents.get<KeyDocument>(ERASURE_KEYS.name, subject);

  /** How often the key of a subject has changed; asked before the document is, so that it is never the newer of the two. */
  const changesOf = async (subject: string): Promise<number> => {
    const moved = await documents.checkpoint(changesCheckpoint(subject));
    return moved && 'position' in moved ? moved.position : 0;
  };

  /** False when somebody else was faster. */
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
        const wrapped = lock(masterKey, aboutOf(subject, made.id), made.key).toString('base64');
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
        // Beyond the checkpoint only where the keys were restored without it.
        const changes = Math.max(from, (await find(subject))?.changes ?? 0);
        if (changes === 0) return 0;
        // An even number of changes leaves no key. What is stored is written again all the same, in case a first attempt
        // was cut off before the engine had overwritten what was there.
        const after = changes + (changes % 2);
        if (await change(from, { _id: subject, changes: after, key: null })) return after / 2;
      }
    },
  };
}

const aboutOf = (subject: string, keyId: string): string => `subject-key v1 ${keyId} ${subject}`;

/** Tells which master key it is. The colon keeps it apart from the checkpoints of subjects, which begin with `erasure/`. */
export const MASTER_KEY_CHECKPOINT = 'erasure:master-key';

/** Which master key it is, as a number of 48 bits; nothing of the key can be told from it. */
const fingerprintOf = (masterKey: Buffer): number =>
  createHash('sha256').update('tidemark erasure master key').update(masterKey).digest().readUIntBE(0, 6);

async function expectMasterKey(documents: Documents, masterKey: Buffer): Promise<void> {
  const value = { position: fingerprintOf(masterKey) };
  try {
    await documents.commit({ writes: [], checkpoint: { name: MASTER_KEY_CHECKPOINT, value, expect: null } });
  } catch (error) {
    if (!(error instanceof CheckpointMoved)) throw error;
    const noted = await documents.checkpoint(MASTER_KEY_CHECKPOINT);
    if (noted && 'position' in noted && noted.position === value.position) return;
    throw new WrongMasterKey('the keys of personal texts are wrapped under another master key than this one');
  }
}
