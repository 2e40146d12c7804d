import type { EncryptedText } from '../../contracts/text/personal-text';
import type { OpenedText, PersonalTexts } from './personal-text';
import { encryptText, openText } from './encrypted-text';
import { newKey, type SubjectKeys } from './keys';

/** Reads the key each time: a cached one would survive an erasure by another process. */
export function createPersonalTexts(keys: SubjectKeys): PersonalTexts {
  const openAll = async (texts: readonly EncryptedText[]): Promise<(OpenedText | null)[]> => {
    if (texts.length === 0) return [];
    const found = await keys.ofSubjects(texts.map(({ subject }) => subject));
    return texts.map(text => openText(found.get(text.subject) ?? null, text));
  };
  const decryptAll = async (texts: readonly EncryptedText[]): Promise<(string | null)[]> =>
    (await openAll(texts)).map(opened => opened?.text ?? null);

  return {
    encrypt: async (subject, text, options) =>
      encryptText(await keys.ofSubject(subject, options), subject, text),
    erased: subject => encryptText(newKey(), subject, ''),
    decrypt: async text => (await decryptAll([text]))[0] ?? null,
    decryptAll,
    openAll,
  };
}
