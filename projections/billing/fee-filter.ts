import type { Status } from './totals';
import type { DayRange } from './intervals';

/** The conditions that are present must all hold. */
export interface FeeFilter {
  readonly days: DayRange;
  readonly status?: Status | undefined;
  readonly merchantSlug?: string | undefined;
  readonly feeType?: string | undefined;
}
