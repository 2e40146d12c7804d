import { FEE_CATEGORY, feeEvents } from '../../contracts/events/fee';
import type { Checkpoint } from '../../contracts/seal/checkpoint';
import { ledgerLine } from '../../contracts/seal/ledger-line';
import type { MerchantProof } from '../../contracts/seal/merchant-proof';
import { auditPath } from '../../contracts/seal/merkle';
import type { EventStore } from '../../contracts/ports/event-store';
import type { SealReading } from './reading';

interface MerchantProofDeps {
  readonly store: Pick<EventStore, 'readAll'>;
  readonly reading: Pick<SealReading, 'leafAt' | 'subtree'>;
}

/** Whose events, and of which month; null for all. */
export interface OfMerchant {
  readonly merchantId: string;
  readonly billingPeriod: string | null;
}

/** Every event of the merchant's fees up to the checkpoint, with its audit path. */
export async function proveMerchant(
  { store, reading }: MerchantProofDeps,
  { merchantId, billingPeriod }: OfMerchant,
  checkpoint: Checkpoint,
): Promise<MerchantProof> {
  const events: MerchantProof['events'] = [];
  for await (const page of store.readAll({ categories: [FEE_CATEGORY] }))
    for (const event of page) {
      if (event.position > checkpoint.position) break;
      const { data } = feeEvents.read(event);
      if (data.merchant_id !== merchantId) continue;
      if (billingPeriod !== null && data.billing_period !== billingPeriod) continue;
      const leaf = await reading.leafAt(event.position);
      if (leaf === null) throw new Error(`the event at position ${event.position} is not sealed`);
      const path = await auditPath(leaf, checkpoint.size, reading.subtree);
      events.push({ leaf, line: ledgerLine(event), path: path.map(hash => hash.toString('hex')) });
    }
  return { version: 1, merchantId, billingPeriod, checkpoint, events };
}
