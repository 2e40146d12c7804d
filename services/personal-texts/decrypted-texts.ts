import type { EncryptedText } from '../../contracts/text/personal-text';
import type { PersonalTexts } from './personal-text';

/** A decrypted text: null when there is none, or it was erased. */
export interface DecryptedText {
  readonly text: string | null;
  readonly erased: boolean;
}

/** The texts in their order, with one read of the keys. */
export async function decryptTexts(
  texts: Pick<PersonalTexts, 'decryptAll'>,
  encrypted: readonly (EncryptedText | null)[],
): Promise<readonly DecryptedText[]> {
  const found = await texts.decryptAll(encrypted.filter(each => each !== null));
  let next = 0;
  return encrypted.map(each => {
    const text = each === null ? null : (found[next++] ?? null);
    return { text, erased: each !== null && text === null };
  });
}
