import { FEE_CATEGORY, feeEvents } from '../../contracts/events/fee';
import type { Checkpoint } from '../../contracts/ledger-tree/checkpoint';
import { ledgerLine } from '../../contracts/ledger-tree/ledger-line';
import type { MerchantProof } from '../../contracts/ledger-tree/merchant-proof';
import { auditPathOf } from '../../contracts/ledger-tree/merkle-tree';
import type { EventStore } from '../../contracts/ports/event-store';
import type { LedgerTreeReader } from './reader';

interface MerchantProofDeps {
  readonly store: Pick<EventStore, 'readAll'>;
  readonly reader: Pick<LedgerTreeReader, 'leafIndexAt' | 'subtreeRoot'>;
}

/** The merchant and month of the events; null for all months. */
export interface MerchantFilter {
  readonly merchantId: string;
  readonly billingPeriod: string | null;
}

/** Every event of the merchant's fees up to the checkpoint, with its audit path. @throws Error when there is none */
export async function proveMerchant(
  { store, reader }: MerchantProofDeps,
  { merchantId, billingPeriod }: MerchantFilter,
  checkpoint: Checkpoint,
): Promise<MerchantProof> {
  const events: MerchantProof['events'] = [];
  for await (const page of store.readAll({ categories: [FEE_CATEGORY] }))
    for (const event of page) {
      if (event.position > checkpoint.position) break;
      const { data } = feeEvents.read(event);
      if (data.merchant_id !== merchantId) continue;
      if (billingPeriod !== null && data.billing_period !== billingPeriod) continue;
      const leafIndex = await reader.leafIndexAt(event.position);
      if (leafIndex === null)
        throw new Error(`the event at position ${event.position} is not in the ledger tree`);
      const path = await auditPathOf(leafIndex, checkpoint.size, reader.subtreeRoot);
      events.push({ leafIndex, line: ledgerLine(event), auditPath: path.map(hash => hash.toString('hex')) });
    }
  if (events.length === 0) throw noFees({ merchantId, billingPeriod });
  return { version: 1, merchantId, billingPeriod, checkpoint, events };
}

export function noFees({ merchantId, billingPeriod }: MerchantFilter): Error {
  const month = billingPeriod === null ? '' : ` in ${billingPeriod}`;
  return new Error(`the ledger has no fee of merchant ${merchantId}${month}`);
}
