import { canonicalJson } from '../canonical-json';
import type { Json } from '../json';

/**
 * The bytes that are signed: a name that no other kind of statement has, a line end, and RFC 8785 of what is said.
 * Without the name a signature of one kind could be shown as one of another.
 */
export function statement(name: `tidemark-${string}-v${number}`, said: Json): Buffer {
  return Buffer.from(`${name}\n${canonicalJson(said)}`);
}
