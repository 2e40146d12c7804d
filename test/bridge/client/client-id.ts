import { randomBytes } from 'node:crypto';

/** A client id that nobody else uses: 32 bytes in hex. */
export function clientId(): string {
  return randomBytes(32).toString('hex');
}
