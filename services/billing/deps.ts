import type { AsOf } from '../../projections/as-of/port';
import type { Prover } from '../ledger-tree/prover';
import type { InvoiceDeps } from './invoice/deps';
import type { GenerateDeps } from './settlement/deps';

export interface BillingDeps extends InvoiceDeps, GenerateDeps {
  /** RFC 3339 UTC instant with milliseconds. */
  readonly now: () => string;
  readonly voidReasonRequired: boolean;
  readonly asOf: AsOf;
  readonly prover: Prover;
}
