import type { JsonObject } from '../../../contracts/json/json';
import type { Samples } from '../sample';

export const FACTS = {
  id: 'f-1',
  fee_type: 'creation',
  fee_amount: '1.50',
  gross_amount: '100.00',
  billing_period: '2026-11',
  day: '2026-11-20',
  created_at: '2026-11-20T11:00:00.000Z',
  merchant_id: 'm-1',
  merchant_name: 'Espresso & Co',
  merchant_slug: 'espresso',
};
export const ADJUSTMENT = {
  ...FACTS,
  id: 'f-1~reversal',
  fee_amount: '-1.50',
  gross_amount: '-100.00',
  billing_period: '2026-12',
  day: '2026-12-31',
  created_at: '2026-12-31T23:59:59.999Z',
  invoice_id: 'i-1',
};

export const FEE = {
  FeeRecorded: { ...FACTS, collection_status: 'pending' },
  FeeCollected: FACTS,
  FeeWaived: FACTS,
  FeeReversed: { ...FACTS, adjustment: null },
} satisfies Record<string, JsonObject>;
export const FEE_ADJUSTED = { ...FACTS, adjustment: ADJUSTMENT } satisfies JsonObject;

export const FEE_SAMPLES: Samples = {
  FeeRecorded: [
    { v: 1, data: FEE.FeeRecorded },
    { v: 1, data: { ...FACTS, collection_status: 'collected' } },
  ],
  FeeCollected: [{ v: 1, data: FEE.FeeCollected }],
  FeeWaived: [{ v: 1, data: FEE.FeeWaived }],
  FeeReversed: [
    { v: 1, data: FEE.FeeReversed },
    { v: 1, data: FEE_ADJUSTED },
  ],
};
