import type { PersonalText, Sealed } from '../contracts/personal-text';

/**
 * Free text by or about people, such as a reason, a comment or the address of a caller. Events are never rewritten, so
 * it goes into them sealed under a key of its subject, and is gone from all of them once `tidemark erase` has destroyed
 * that key. Whatever is kept (documents, kept answers, exports) keeps it sealed; it is opened for one answer at a time.
 */
export interface PersonalTexts {
  /**
   * Encrypts a text under the key of the subject, made now if there is none.
   * @param subject who has it erased: the `sub` of the person it is by, or is about
   */
  seal(subject: string, text: string): Promise<Sealed>;
  /** Null once it was erased. @throws DamagedText when it is not what was sealed */
  open(text: PersonalText): Promise<string | null>;
  /** As `open`, each in its place. */
  openAll(texts: readonly PersonalText[]): Promise<(string | null)[]>;
}

/** The key is there, but it did not seal this text: somebody has changed it, or the key. */
export class DamagedText extends Error {
  override readonly name = 'DamagedText';
}
