import type { EventProjection } from '../projection';
import { feesProjection } from './fees';
import { invoicesProjection } from './invoices';
import { merchantsProjection } from './merchants';
import { rebatesProjection } from './rebates';
import { settlementsProjection } from './settlements';

/** The read models of billing. Each is made of nothing but the ledger, and so of what an auditor is given. */
export const BILLING_MODELS: readonly EventProjection[] = [
  feesProjection,
  invoicesProjection,
  merchantsProjection,
  settlementsProjection,
  rebatesProjection,
];
