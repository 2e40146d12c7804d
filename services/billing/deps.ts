import type { AsOf } from '../../projections/as-of/port';
import type { Audited } from '../audited';
import type { RateLimits } from '../http/limits';
import type { Once } from '../once';
import type { Prover } from '../prover';
import type { SecureSession } from './guard';
import type { InvoiceDeps } from './invoice/deps';
import type { GenerateDeps } from './settlement/deps';

export interface BillingDeps extends InvoiceDeps, GenerateDeps {
  /** RFC 3339 UTC instant with milliseconds. */
  readonly now: () => string;
  readonly secureSession: SecureSession;
  readonly voidReasonRequired: boolean;
  readonly limits: RateLimits;
  readonly audited: Audited;
  readonly once: Once;
  readonly asOf: AsOf;
  readonly prover: Prover;
}
