import { randomBytes } from 'node:crypto';
import { sha256 } from '../../../contracts/encoding/sha256';

const TOKEN_BYTES = 32;

/** An opaque secret: 256 random bits in base64url. */
export function newCardToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** What is stored in its place: SHA-256, hex. */
export function digestOfToken(token: string): string {
  return sha256(token).toString('hex');
}
