import type { Json, JsonObject } from './json';
import { sha256 } from './seal/sha256';

/**
 * The one way of writing a JSON value, for digests and signatures: RFC 8785. ECMAScript's own form of strings and
 * numbers is the one the RFC asks for, and its default sort the RFC's order of keys (UTF-16 code units). Written by the
 * engine itself from a copy with its keys in that order, which is three times as fast as writing every member.
 */
export function canonicalJson(value: Json): string {
  const ordered = inOrder(value);
  return ordered === undefined ? written(value) : JSON.stringify(ordered);
}

/** Whether an object would not keep the key in the order it is set in, or not take it for a member. */
function isUnfit(key: string): boolean {
  const first = key.charCodeAt(0);
  return (first >= 0x30 && first <= 0x39) || key === '__proto__';
}

/** The value with the keys of every object in order; undefined where no object can hold them so. */
function inOrder(value: Json): Json | undefined {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const items = value.map(inOrder);
    return items.includes(undefined) ? undefined : (items as Json[]);
  }
  const copy: JsonObject = {};
  for (const key of Object.keys(value).sort()) {
    const member = inOrder(value[key]!);
    if (member === undefined || isUnfit(key)) return undefined;
    copy[key] = member;
  }
  return copy;
}

function written(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
  const members = Object.keys(value)
    .sort()
    .map(key => `${JSON.stringify(key)}:${written(value[key]!)}`);
  return `{${members.join(',')}}`;
}

/** SHA-256, in hex, of the canonical form. */
export function canonicalDigest(value: Json): string {
  return sha256(canonicalJson(value)).toString('hex');
}
