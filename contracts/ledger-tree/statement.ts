import { canonicalJson } from '../json/canonical-json';
import type { Json } from '../json/json';

/**
 * The bytes that are signed: the name of the kind of statement, a line end, and the content in canonical JSON (RFC 8785).
 * The name separates the kinds, so that a signature of one cannot be used for another.
 */
export function statement(name: `tidemark-${string}-v${number}`, content: Json): Buffer {
  return Buffer.from(`${name}\n${canonicalJson(content)}`);
}
