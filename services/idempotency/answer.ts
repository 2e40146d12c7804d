import { gunzip, gzip } from 'node:zlib';
import { promisify } from 'node:util';
import type { KeptAnswer } from '../../contracts/events/idempotency';
import { sha256 } from '../../contracts/seal/sha256';
import { WithHeaders } from '../http/binding';
import type { PersonalTexts } from '../personal-text';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Characters of JSON that are kept uncompressed. */
const SHORT = 16 * 1024;
/** Characters of base64 that are kept: sealed, they still fit into what an EventStoreDB takes in one append. */
const LONGEST = 512 * 1024;

/** How an answer is kept, so that it can be given again. @param subject whose call it is */
export async function keep(
  { status, headers, body }: WithHeaders<unknown>,
  texts: PersonalTexts,
  subject: string,
): Promise<KeptAnswer> {
  const json = JSON.stringify(body);
  const form = json.length <= SHORT ? 'json' : 'gzip';
  const text = form === 'json' ? json : (await pack(json)).toString('base64');
  if (text.length > LONGEST)
    return { status, headers, content: { form: 'digest', sha256: sha256(json).toString('hex') } };
  return { status, headers, content: { form, text: await texts.seal(subject, text) } };
}

export const REPLAYED = 'Idempotent-Replayed';

/** The answer again; null when no more than its digest was kept, or its words have been erased since. */
export async function giveAgain(
  { status, headers, content }: KeptAnswer,
  texts: PersonalTexts,
): Promise<WithHeaders<unknown> | null> {
  if (content.form === 'digest') return null;
  const text = await texts.open(content.text);
  if (text === null) return null;
  const json = content.form === 'json' ? text : (await unpack(Buffer.from(text, 'base64'))).toString();
  return new WithHeaders(JSON.parse(json) as unknown, { ...headers, [REPLAYED]: 'true' }, status);
}
