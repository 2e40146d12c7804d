import { z } from 'zod';
import { checkpoint, hexDigest } from './checkpoint';

/**
 * Events of one merchant, each with what leads from it to the root of a signed checkpoint: RFC 6962, section 2.1.1. Who
 * holds it sees nothing of others, and knows that each event is in the ledger, at this place. That there are no more of
 * them it does not prove.
 */
export const merchantProof = z.object({
  version: z.literal(1),
  merchantId: z.string(),
  /** Null: of all time. */
  billingPeriod: z.string().nullable(),
  checkpoint,
  events: z.array(
    z.object({
      /** Index among the events of the ledger, from 0. */
      leaf: z.int().min(0),
      /** RFC 8785 of the event, as it is in an export. */
      line: z.string(),
      /** From the leaf upwards. */
      path: z.array(hexDigest).max(64),
    }),
  ),
});
export type MerchantProof = z.output<typeof merchantProof>;
