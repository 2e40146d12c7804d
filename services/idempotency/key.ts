import { v5 } from 'uuid';
import { canonicalDigest } from '../../contracts/json/canonical-json';
import type { Json } from '../../contracts/json/json';
import { Problem } from '../../contracts/problem/problem';
import type { Attempt } from './attempt';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/** @throws Problem 400 that names the header */
export function checkKey(key: string): void {
  if (PRINTABLE.test(key)) return;
  throw Problem.invalid('/header/idempotency-key', '1 to 255 printable ASCII characters', 'invalid_key');
}

/** The same for every repetition of a call: the digest of the scope and the key. */
export function callIdOf(scope: readonly string[], key: string): string {
  return canonicalDigest([...scope, key]);
}

/** SHA-256, in hex, of the canonical JSON (RFC 8785) of a body: a key used with another body is a conflict. */
export function bodyHashOf(body: Json): string {
  return canonicalDigest(body);
}

const NAMESPACE = '9f0a3e52-6c1d-5b7e-8a44-2d5b90c7e1f6';

/** Ids that follow from the call alone: UUIDv5 (RFC 9562, section 5.5). */
export function attemptOf(callId: string): Attempt {
  let given = 0;
  return { commandId: callId, newId: () => v5(`${callId}/${given++}`, NAMESPACE) };
}
