import { z } from 'zod';
import { checkpoint, hexDigest } from './checkpoint';

/**
 * Events of one merchant, each with its audit path to the root of a signed checkpoint: RFC 6962, section 2.1.1. It shows
 * no events of others and proves that each event is in the ledger at that index, but not that there are no more of them.
 */
export const merchantProof = z.strictObject({
  version: z.literal(1),
  merchantId: z.string(),
  /** Null: all months. */
  billingPeriod: z.string().nullable(),
  checkpoint,
  events: z.array(
    z.strictObject({
      /** Index among the events of the ledger, from 0. */
      leafIndex: z.int().min(0),
      /** The event in canonical form (RFC 8785), as in an export. */
      line: z.string(),
      /** From the leaf upwards. */
      auditPath: z.array(hexDigest).max(64),
    }),
  ),
});
export type MerchantProof = z.output<typeof merchantProof>;
