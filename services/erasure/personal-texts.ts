import type { EncryptedText } from '../../contracts/personal-text';
import type { PersonalTexts } from '../personal-text';
import { decryptText, encryptText } from './encrypted-text';
import type { SubjectKeys } from './keys';

/** Reads the key each time: a cached one would survive an erasure by another process. */
export function createPersonalTexts(keys: SubjectKeys): PersonalTexts {
  const decryptAll = async (texts: readonly EncryptedText[]): Promise<(string | null)[]> => {
    const found = await keys.ofSubjects(texts.map(({ subject }) => subject));
    return texts.map(text => decryptText(found.get(text.subject) ?? null, text));
  };

  return {
    encrypt: async (subject, text) => encryptText(await keys.ofSubject(subject), subject, text),
    decrypt: async text => (await decryptAll([text]))[0] ?? null,
    decryptAll,
  };
}
