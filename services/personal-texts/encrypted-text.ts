import { hkdfSync } from 'node:crypto';
import { decodeBase64url } from '../../contracts/encoding/base64';
import { commitmentIn, commitmentOf, type EncryptedText } from '../../contracts/text/personal-text';
import { DamagedText, type OpenedText } from './personal-text';
import { decrypt, encrypt, nonceOf } from './aes-gcm';
import type { SubjectKey } from './keys';

const FORMAT = /^(v1|v2)\.([\w-]{1,64})\.([\w-]+)(?:\.([\w-]{43}))?$/;

const associatedDataOf = (version: string, subject: string, keyId: string): string =>
  `personal-text ${version} ${keyId} ${subject}`;

/**
 * HKDF-SHA256 (RFC 5869) of the key of the subject, with the nonce of the text as salt: 32 bytes that are lost with the key.
 */
function openingOf(key: Buffer, encrypted: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', key, nonceOf(encrypted), 'tidemark personal-text opening v2', 32));
}

/**
 * The format `v2.<id of the key>.<base64url>.<commitment>` with `nonce (12 bytes) || ciphertext || tag (16 bytes)`:
 * AES-256-GCM of the text in UTF-8, with `personal-text v2 <id of the key> <subject>` in UTF-8 as associated data, and a
 * commitment under the opening of the text (contracts/text/personal-text.ts). Version 1 has no commitment. Events contain it,
 * so a change of the format needs a new version.
 */
export function encryptText({ id, key }: SubjectKey, subject: string, text: string): EncryptedText {
  const encrypted = encrypt(key, associatedDataOf('v2', subject, id), Buffer.from(text));
  const commitment = commitmentOf(openingOf(key, encrypted), text);
  return { subject, ciphertext: `v2.${id}.${encrypted.toString('base64url')}.${commitment}` };
}

/** Null when the text was encrypted with another key, which was destroyed. @throws DamagedText */
export function openText(key: SubjectKey | null, encryptedText: EncryptedText): OpenedText | null {
  const { subject, ciphertext } = encryptedText;
  const [, version, id, base64url, committed] = FORMAT.exec(ciphertext) ?? [];
  const encrypted = base64url === undefined ? null : decodeBase64url(base64url);
  if (
    version === undefined ||
    id === undefined ||
    !encrypted ||
    (version === 'v2') !== (committed !== undefined)
  )
    throw new DamagedText(`a text of ${subject} is in an unknown format`);
  if (key?.id !== id) return null;
  const text = decrypt(key.key, associatedDataOf(version, subject, id), encrypted)?.toString();
  if (text === undefined) throw new DamagedText(`a text of ${subject} was changed`);
  const commitment = commitmentIn(encryptedText);
  if (commitment === null) return { text, commitment, opening: null };
  const opening = openingOf(key.key, encrypted);
  if (commitmentOf(opening, text) !== commitment)
    throw new DamagedText(`the commitment to a text of ${subject} was changed`);
  return { text, commitment, opening: opening.toString('base64url') };
}
