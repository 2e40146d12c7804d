import { isUtf8 } from 'node:buffer';
import { MIMEType } from 'node:util';
import type { Request } from 'express';
import type { MalformedJson } from '../../contracts/json/parse-json';
import { parseJson } from '../../contracts/json/parse-json';
import { Problem } from '../../contracts/problem/problem';
import { createIncompleteBodies } from './incomplete-bodies';
import { checkJsonBounds } from './json-bounds';
import type { Sender } from './limits';
import { readBytes } from './read-bytes';
import { pointerTo } from './validate';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/;
const UTF8 = /^utf-?8$/i;

/** Largest body in bytes where an endpoint names no other. */
export const DEFAULT_BODY_LIMIT = 64 * 1024;

/** Reads the body of a request; undefined when it has none. */
type ReadBody = (request: Request, sender: Sender) => Promise<unknown>;

/**
 * JSON in UTF-8, also without a media type; or with `text` UTF-8, whatever its media type says.
 * @param limit largest body in bytes
 * @param bodies of all readers that share a bound
 * @returns a reader that rejects with a `Problem`
 */
export function bodyReader(
  limit: number,
  bodyType: 'json' | 'text' = 'json',
  bodies = createIncompleteBodies(),
): ReadBody {
  return async (request, sender) => {
    const type = request.headers['content-type'];
    if (bodyType === 'json' && type !== undefined) checkType(type);
    const bytes = await readBytes(request, sender, limit, bodies);
    return bytes && (bodyType === 'json' ? jsonIn(bytes) : textIn(bytes));
  };
}

/** What nearly all clients send: parsing it takes as long as all of a small body. */
const USUAL_TYPE = 'application/json';

/** JSON in another charset would be read as another text than was meant. @throws Problem 415 */
function checkType(given: string): void {
  if (given === USUAL_TYPE) return;
  const type = mediaTypeOf(given);
  if (!type || !JSON_TYPE.test(type.essence))
    throw new Problem('unsupported_media_type', 'Send the body as application/json.');
  if (!UTF8.test(type.params.get('charset') ?? 'utf-8'))
    throw new Problem('unsupported_media_type', 'Send the body in UTF-8.');
}

function mediaTypeOf(given: string): MIMEType | null {
  try {
    return new MIMEType(given);
  } catch {
    return null;
  }
}

/** An empty body counts as an empty object. */
function jsonIn(bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  checkJsonBounds(bytes);
  try {
    return parseJson(bytes);
  } catch (error) {
    const { message, path } = error as MalformedJson;
    if (path) throw Problem.invalid(pointerTo('body', path), 'this member comes twice', 'repeated_member');
    throw new Problem('invalid_json', `The body cannot be read: ${message}.`);
  }
}

function textIn(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw Problem.invalid('/body', 'must be UTF-8');
  return bytes.toString();
}
