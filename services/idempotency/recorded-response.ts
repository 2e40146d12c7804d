import { gunzip, gzip } from 'node:zlib';
import { promisify } from 'node:util';
import type { RecordedResponse } from '../../contracts/events/idempotency';
import { sha256 } from '../../contracts/encoding/sha256';
import { Reply } from '../http/call';
import type { PersonalTexts } from '../personal-texts/personal-text';
import { isUnavailable } from '../../contracts/engine/engine-unavailable';
import { encryptInTime } from '../personal-texts/encrypt-in-time';
import { readJson } from '../../contracts/json/read-json';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Maximum characters of JSON that are stored uncompressed. */
const MAX_UNCOMPRESSED = 16 * 1024;
/** Maximum characters of base64 that are stored: encrypted, they still fit into one append of EventStoreDB. */
const MAX_STORED = 512 * 1024;

/**
 * The stored form of a response. While the documents, which have the keys, do not answer, it is the digest, as of one that is too long:
 * what has been done is done again with the same ids, and so answered in the same way. Null for a refusal then: nothing
 * was done, and it may be decided otherwise next time.
 * @param subject the caller, for the encryption key
 */
export async function recordResponse(
  { status = 200, headers, body }: Reply<unknown>,
  texts: PersonalTexts,
  subject: string,
): Promise<RecordedResponse | null> {
  const json = JSON.stringify(body);
  const form = json.length <= MAX_UNCOMPRESSED ? 'json' : 'gzip';
  const text = form === 'json' ? json : (await compress(json)).toString('base64');
  const isTooLong = text.length > MAX_STORED;
  const encrypted = isTooLong ? null : await encryptInTime(texts, subject, text);
  if (encrypted) return { status, headers, content: { form, text: encrypted } };
  if (!isTooLong && status >= 400) return null;
  return { status, headers, content: { form: 'digest', sha256: sha256(json).toString('hex') } };
}

export const REPLAYED = 'Idempotent-Replayed';

/** The recorded response; null when only its digest was stored, its text was erased, or that of what was done cannot be read. */
export async function replayResponse(
  { status, headers, content }: RecordedResponse,
  texts: PersonalTexts,
): Promise<Reply<unknown> | null> {
  if (content.form === 'digest') return null;
  const text = await texts.decrypt(content.text).catch((error: unknown) => {
    if (status < 400 && isUnavailable(error, 'documents')) return null;
    throw error;
  });
  if (text === null) return null;
  const json = content.form === 'json' ? text : (await decompress(Buffer.from(text, 'base64'))).toString();
  return new Reply(readJson(json), { ...headers, [REPLAYED]: 'true' }, status);
}
