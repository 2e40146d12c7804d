import { decodeBase64url } from '../../contracts/base64';
import type { EncryptedText } from '../../contracts/personal-text';
import { DamagedText } from '../personal-text';
import { decrypt, encrypt } from './aes-gcm';
import type { SubjectKey } from './keys';

const VERSION = 'v1';
const FORMAT = /^v1\.([\w-]{1,64})\.([\w-]+)$/;

const associatedDataOf = (subject: string, keyId: string): string =>
  `personal-text ${VERSION} ${keyId} ${subject}`;

/**
 * The format `v1.<id of the key>.<base64url>` of `nonce (12 bytes) || ciphertext || tag (16 bytes)`: AES-256-GCM of the
 * text in UTF-8, with `personal-text v1 <id of the key> <subject>` in UTF-8 as associated data. Events contain it, so a
 * change of the format needs a new version.
 */
export function encryptText({ id, key }: SubjectKey, subject: string, text: string): EncryptedText {
  const encrypted = encrypt(key, associatedDataOf(subject, id), Buffer.from(text));
  return { subject, ciphertext: `${VERSION}.${id}.${encrypted.toString('base64url')}` };
}

/** Null when the text was encrypted with another key, which was destroyed. @throws DamagedText */
export function decryptText(key: SubjectKey | null, { subject, ciphertext }: EncryptedText): string | null {
  const [, id, base64url] = FORMAT.exec(ciphertext) ?? [];
  const encrypted = base64url === undefined ? null : decodeBase64url(base64url);
  if (id === undefined || !encrypted) throw new DamagedText(`a text of ${subject} is in an unknown format`);
  if (key?.id !== id) return null;
  const text = decrypt(key.key, associatedDataOf(subject, id), encrypted);
  if (!text) throw new DamagedText(`a text of ${subject} was changed`);
  return text.toString();
}
