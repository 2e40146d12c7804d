import type { PersonalText, Sealed } from '../../contracts/personal-text';
import type { PersonalTexts } from '../personal-text';
import type { SubjectKeys } from './keys';
import { openWith, sealWith } from './sealed-form';

const isSealed = (text: PersonalText): text is Sealed => 'sealed' in text;

/** Asks for the key each time: no copy outlives an erasure, in whatever process that happens. */
export function createPersonalTexts(keys: SubjectKeys): PersonalTexts {
  const openAll = async (texts: readonly PersonalText[]): Promise<(string | null)[]> => {
    const found = await keys.ofSubjects(texts.filter(isSealed).map(({ subject }) => subject));
    return texts.map(text => (isSealed(text) ? openWith(found.get(text.subject) ?? null, text) : text.plain));
  };

  return {
    seal: async (subject, text) => sealWith(await keys.ofSubject(subject), subject, text),
    open: async text => (await openAll([text]))[0] ?? null,
    openAll,
  };
}
