import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Bytes of AES-256, and of the nonce and tag of GCM (NIST SP 800-38D, sections 5.2.1.1 and 8.2.2). */
export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const CIPHER = 'aes-256-gcm';

/**
 * AES-256-GCM under a random nonce: `nonce || ciphertext || tag`.
 * @param about what the content belongs to; it opens only for who names the same
 */
export function lock(key: Buffer, about: string, content: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(about));
  return Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}

/** Null when it was not locked by this key for this. */
export function unlock(key: Buffer, about: string, box: Buffer): Buffer | null {
  if (box.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, key, box.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(about))
    .setAuthTag(box.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(box.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}
