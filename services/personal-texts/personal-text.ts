import type { EncryptedText } from '../../contracts/text/personal-text';

/**
 * Free text by or about people, such as a reason, a comment or the address of a caller. Events are never rewritten, so
 * they contain it encrypted with a key of its subject; `tidemark erase` destroys the key and so erases the text everywhere.
 * Documents, recorded responses and exports contain it encrypted too; it is decrypted only for a response.
 */
export interface PersonalTexts {
  /**
   * Encrypts a text with the key of the subject, which is created if there is none.
   * @param subject the person it is by or about, who can have it erased: the `sub` of a token
   * @param options `hasAge`: a retention deletes the text (`textsOf`), and the key goes once it was not used for long. A text that is
   *   recorded again is encrypted again. Default: the text may stay for good
   */
  encrypt(subject: string, text: string, options?: { readonly hasAge: boolean }): Promise<EncryptedText>;
  /** In place of a text whose key cannot be had: as one that was erased. */
  erased(subject: string): EncryptedText;
  /** Null when it was erased. @throws DamagedText when the ciphertext was changed */
  decrypt(text: EncryptedText): Promise<string | null>;
  /** As `decrypt`, in the same order. */
  decryptAll(texts: readonly EncryptedText[]): Promise<(string | null)[]>;
  /** As `decryptAll`, with what proves the texts to others. */
  openAll(texts: readonly EncryptedText[]): Promise<(OpenedText | null)[]>;
}

/** A text, the commitment to it, and the opening of that (contracts/text/personal-text.ts); both null for a text of version 1. */
export interface OpenedText {
  readonly text: string;
  readonly commitment: string | null;
  /** 32 bytes in base64url. */
  readonly opening: string | null;
}

/** The key exists but does not decrypt the text: the ciphertext or the key was changed. */
export class DamagedText extends Error {
  override readonly name = 'DamagedText';
}
