import { z } from 'zod';

/**
 * Personal text as events and documents store it: encrypted with the key of its subject, so that destroying the key
 * erases it everywhere. `ciphertext` is `v1.<id of the key>.<base64url>`; see services/erasure/encrypted-text.ts.
 */
export const encryptedText = z.object({ subject: z.string(), ciphertext: z.string() });
export type EncryptedText = z.output<typeof encryptedText>;
