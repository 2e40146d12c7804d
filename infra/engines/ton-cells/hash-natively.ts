import { hash } from 'node:crypto';
// What is imported otherwise cannot be replaced.
// eslint-disable-next-line @typescript-eslint/no-require-imports
import sha256 = require('@ton/crypto/dist/primitives/sha256');

/**
 * Makes `@ton/core` hash cells with the SHA-256 of Node instead of the one in JavaScript that its library calls, which takes as
 * long as all else of reading or building a cell. For the thread, at once and from then on.
 */
export function hashCellsNatively(): void {
  sha256.sha256_sync = source => hash('sha256', source, 'buffer');
}
