import { isUnavailable } from '../contracts/engine/engine-unavailable';
import { sleep } from '../contracts/retry/retry';
import type { EncryptedText } from '../contracts/text/personal-text';
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
export async function encryptInTime(
  texts: Pick<PersonalTexts, 'encrypt'>,
  subject: string,
  text: string,
): Promise<EncryptedText | null> {
  const done = new AbortController();
  const encrypting = texts.encrypt(subject, text).catch((error: unknown) => {
    if (isUnavailable(error, 'documents')) return null;
    throw error;
  });
  try {
    return await Promise.race([encrypting, sleep(WAIT_MS, done.signal).then(() => null)]);
  } finally {
    done.abort();
    encrypting.catch(() => undefined);
  }
}
