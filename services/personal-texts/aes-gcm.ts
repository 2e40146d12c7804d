import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Bytes of AES-256, and of the nonce and tag of GCM (NIST SP 800-38D, sections 5.2.1.1 and 8.2.2). */
export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const CIPHER = 'aes-256-gcm';

/**
 * AES-256-GCM with a random nonce: `nonce || ciphertext || tag`.
 * @param associatedData what the plaintext belongs to; `decrypt` needs the same
 */
export function encrypt(key: Buffer, associatedData: string, plaintext: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(
    Buffer.from(associatedData),
  );
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** The nonce that `encrypt` chose. */
export function nonceOf(encrypted: Buffer): Buffer {
  return encrypted.subarray(0, NONCE_BYTES);
}

/** Null when the bytes were not encrypted with this key and associated data. */
export function decrypt(key: Buffer, associatedData: string, encrypted: Buffer): Buffer | null {
  if (encrypted.length < NONCE_BYTES + TAG_BYTES) return null;
  const nonce = nonceOf(encrypted);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(associatedData))
    .setAuthTag(encrypted.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(encrypted.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}
