import { isUnavailable } from '../../contracts/engine/engine-unavailable';
import { withTimeout } from '../../contracts/retry/with-timeout';
import type { EncryptedText } from '../../contracts/text/personal-text';
import type { PersonalTexts } from './personal-text';

/**
 * Documents that take longer count as not answering: a caller waits for what is encrypted. It is more than a database that hangs
 * takes to be unavailable, so that a slow one costs no line of the audit trail its address.
 */
const WAIT_MS = 10_000;

/**
 * Encrypts a text that belongs to what is already recorded, so that it must not fail: null where the documents, which have the
 * keys, do not answer in time.
 */
export function encryptInTime(
  texts: Pick<PersonalTexts, 'encrypt'>,
  subject: string,
  text: string,
): Promise<EncryptedText | null> {
  const encrypting = texts.encrypt(subject, text).catch((error: unknown) => {
    if (isUnavailable(error, 'documents')) return null;
    throw error;
  });
  return withTimeout(WAIT_MS, encrypting, () => null);
}
