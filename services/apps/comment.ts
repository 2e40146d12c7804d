import type { AppComment } from '../../contracts/http/catalog/apps';
import { accountKey } from '../../contracts/network/network';
import type { EncryptedText } from '../../contracts/text/personal-text';
import { decryptTexts } from '../personal-texts/decrypted-texts';
import type { PersonalTexts } from '../personal-texts/personal-text';
import type { TonAccount } from '../../contracts/account/ton-account';
import { canonicalJson } from '../../contracts/json/canonical-json';
import { readJson } from '../../contracts/json/read-json';

/** What a wallet writes can be erased: `tidemark erase` takes the key of its account. */
async function encryptComment(
  texts: PersonalTexts,
  author: TonAccount,
  comment: AppComment | null | undefined,
): Promise<EncryptedText | null> {
  return comment ? texts.encrypt(accountKey(author), JSON.stringify(comment), { hasAge: true }) : null;
}

/** As `known` has it, where that says the same: so that what is sent again is seen to be unchanged. */
export async function encryptAsKnown(
  texts: PersonalTexts,
  author: TonAccount,
  comment: AppComment | null | undefined,
  known: EncryptedText | null | undefined,
): Promise<EncryptedText | null> {
  const [said] = await decryptComments(texts, [known ?? null]);
  const isKnown = said && comment && canonicalJson({ ...said }) === canonicalJson({ ...comment });
  // In any case the key is used: it must not go before what it has encrypted.
  const encrypted = await encryptComment(texts, author, comment);
  return isKnown ? known! : encrypted;
}

/** In the same order; null where there is none, or it was erased. */
export async function decryptComments(
  texts: PersonalTexts,
  comments: readonly (EncryptedText | null)[],
): Promise<(AppComment | null)[]> {
  const decrypted = await decryptTexts(texts, comments);
  return decrypted.map(({ text }) => (text === null ? null : (readJson(text) as AppComment)));
}
