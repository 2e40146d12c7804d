import { z } from 'zod';

/**
 * Personal text as it lies in events and documents: encrypted under the key of whom it is of, so that it is gone
 * everywhere once that key is. `sealed` is `v1.<id of the key>.<base64url>`; see services/erasure/sealed-form.ts.
 */
export const sealedText = z.object({ subject: z.string(), sealed: z.string() });
export type Sealed = z.output<typeof sealedText>;

/** Sealed, or as upcasts find it where an event was written before such text was sealed: no erasure reaches that. */
export const personalText = z.union([sealedText, z.object({ plain: z.string() })]);
export type PersonalText = z.output<typeof personalText>;
