import type { PersonalText } from '../../contracts/personal-text';
import type { PersonalTexts } from '../personal-text';

/** A text as it is answered: null where there is none, and once it was erased. */
export interface OpenedText {
  readonly text: string | null;
  readonly erased: boolean;
}

/** Each in its place, with one look at the keys. */
export async function openTexts(
  texts: PersonalTexts,
  sealed: readonly (PersonalText | null)[],
): Promise<readonly OpenedText[]> {
  const found = await texts.openAll(sealed.filter(each => each !== null));
  let next = 0;
  return sealed.map(each => {
    const text = each === null ? null : (found[next++] ?? null);
    return { text, erased: each !== null && text === null };
  });
}
