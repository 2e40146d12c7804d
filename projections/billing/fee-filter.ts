import type { Status } from './bucket';
import type { DayRange } from './spans';

/** Which fees; what is absent does not narrow. */
export interface FeeFilter {
  readonly days: DayRange;
  readonly status?: Status | undefined;
  readonly merchantSlug?: string | undefined;
  readonly feeType?: string | undefined;
}
