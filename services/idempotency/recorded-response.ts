import { gunzip, gzip } from 'node:zlib';
import { promisify } from 'node:util';
import type { RecordedResponse } from '../../contracts/events/idempotency';
import { sha256 } from '../../contracts/encoding/sha256';
import { Reply } from '../http/call';
import type { PersonalTexts } from '../personal-text';
import { readJson } from '../../contracts/json/read-json';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Maximum characters of JSON that are stored uncompressed. */
const MAX_UNCOMPRESSED = 16 * 1024;
/** Maximum characters of base64 that are stored: encrypted, they still fit into one append of EventStoreDB. */
const MAX_STORED = 512 * 1024;

/** The stored form of a response. @param subject the caller, for the encryption key */
export async function recordResponse(
  { status = 200, headers, body }: Reply<unknown>,
  texts: PersonalTexts,
  subject: string,
): Promise<RecordedResponse> {
  const json = JSON.stringify(body);
  const form = json.length <= MAX_UNCOMPRESSED ? 'json' : 'gzip';
  const text = form === 'json' ? json : (await compress(json)).toString('base64');
  if (text.length > MAX_STORED)
    return { status, headers, content: { form: 'digest', sha256: sha256(json).toString('hex') } };
  return { status, headers, content: { form, text: await texts.encrypt(subject, text) } };
}

export const REPLAYED = 'Idempotent-Replayed';

/** The recorded response; null when only its digest was stored, or its text was erased. */
export async function replayResponse(
  { status, headers, content }: RecordedResponse,
  texts: PersonalTexts,
): Promise<Reply<unknown> | null> {
  if (content.form === 'digest') return null;
  const text = await texts.decrypt(content.text);
  if (text === null) return null;
  const json = content.form === 'json' ? text : (await decompress(Buffer.from(text, 'base64'))).toString();
  return new Reply(readJson(json), { ...headers, [REPLAYED]: 'true' }, status);
}
