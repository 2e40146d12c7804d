import type { AppComment } from '../../contracts/http/catalog/apps';
import { accountKey } from '../../contracts/network/network';
import type { EncryptedText } from '../../contracts/text/personal-text';
import { decryptTexts } from '../decrypted-texts';
import type { PersonalTexts } from '../personal-text';
import type { TonAccount } from '../../contracts/account/ton-account';
import { readJson } from '../../contracts/json/read-json';

/** What a wallet writes can be erased: `tidemark erase` takes the key of its account. */
export async function encryptComment(
  texts: PersonalTexts,
  author: TonAccount,
  comment: AppComment | null | undefined,
): Promise<EncryptedText | null> {
  return comment ? texts.encrypt(accountKey(author), JSON.stringify(comment), { hasAge: true }) : null;
}

/** In the same order; null where there is none, or it was erased. */
export async function decryptComments(
  texts: PersonalTexts,
  comments: readonly (EncryptedText | null)[],
): Promise<(AppComment | null)[]> {
  const decrypted = await decryptTexts(texts, comments);
  return decrypted.map(({ text }) => (text === null ? null : (readJson(text) as AppComment)));
}
