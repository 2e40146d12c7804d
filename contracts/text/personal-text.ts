import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Json } from '../json/json';

/**
 * Personal text as events and documents store it: encrypted with the key of its subject, so that destroying the key
 * erases it everywhere. `ciphertext` is `v2.<id of the key>.<base64url>.<commitment>`; see services/erasure/encrypted-text.ts.
 */
export const encryptedText = z.object({ subject: z.string(), ciphertext: z.string() });
export type EncryptedText = z.output<typeof encryptedText>;

/** All encrypted texts in a JSON value. */
export function encryptedTextsIn(value: Json): readonly EncryptedText[] {
  if (typeof value !== 'object' || value === null) return [];
  const { success, data } = encryptedText.safeParse(value);
  return success ? [data] : Object.values(value).flatMap(encryptedTextsIn);
}

/**
 * What commits to a text: HMAC-SHA256 (RFC 2104) of its UTF-8 bytes under its opening, in base64url. It binds the text,
 * and without the opening it says nothing of it.
 * @param opening 32 bytes, of this text alone
 */
export function commitmentOf(opening: Buffer, text: string): string {
  return createHmac('sha256', opening).update(text).digest('base64url');
}

const COMMITMENT = /^v2\.[\w-]{1,64}\.[\w-]+\.([\w-]{43})$/;

/** The commitment to a text; null when it was encrypted before there were commitments (`v1`). */
export function commitmentIn({ ciphertext }: EncryptedText): string | null {
  return COMMITMENT.exec(ciphertext)?.[1] ?? null;
}

/** The id of the key that a text is encrypted with: another one after an erasure. */
export function keyIdOf({ ciphertext }: EncryptedText): string {
  return ciphertext.split('.')[1]!;
}
