import type { Json } from './json';

/**
 * The one way of writing a JSON value, for digests and signatures: RFC 8785. ECMAScript's own form of strings and
 * numbers is the one the RFC asks for, and its default sort the RFC's order of keys (UTF-16 code units).
 */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.keys(value)
    .sort()
    .map(key => `${JSON.stringify(key)}:${canonicalJson(value[key]!)}`);
  return `{${members.join(',')}}`;
}
