import type { EventProjection } from '../projection';
import { feesProjection } from './fees';
import { invoicesProjection } from './invoices';
import { merchantsProjection } from './merchants';
import { rebatesProjection } from './rebates';
import { settlementsProjection } from './settlements';

/** The projections of billing. They fold only events of the ledger, so an export contains all their inputs. */
export const BILLING_PROJECTIONS: readonly EventProjection[] = [
  feesProjection,
  invoicesProjection,
  merchantsProjection,
  settlementsProjection,
  rebatesProjection,
];

/** Their versions by name, which proofs have. */
export const BILLING_VERSIONS: Readonly<Record<string, number>> = Object.fromEntries(
  BILLING_PROJECTIONS.map(({ name, version }) => [name, version]),
);
