import { createHash } from 'node:crypto';

/** SHA-256 of parts, one after the other: 32 bytes. */
export function sha256(...parts: (string | Buffer)[]): Buffer {
  return parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
}
