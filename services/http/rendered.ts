import { createHash } from 'node:crypto';

interface Rendered {
  readonly bytes: Buffer;
  /** Strong validator of the bytes (RFC 9110, section 8.8.3). */
  readonly etag: string;
}

/** Forgotten with the answers themselves. */
const known = new WeakMap<object, Rendered>();

/** The JSON of an answer that never changes: the same bytes for the same object, made when it is first asked for. */
export function renderedOnce(answer: object): Rendered {
  const found = known.get(answer);
  if (found) return found;
  const bytes = Buffer.from(JSON.stringify(answer));
  const made = { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
  known.set(answer, made);
  return made;
}
