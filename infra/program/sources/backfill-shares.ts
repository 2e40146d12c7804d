import { createBackfillShares, NO_SHARES, type BackfillShares } from '../../../indexers/backfill-shares';
import type { Resource } from '../feature';

/** One for all networks of a process. */
export const backfillShares: Resource<BackfillShares> = {
  async open({ config: { MAX_BACKFILLED_TRANSACTIONS: max }, clock }) {
    return max === 0 ? NO_SHARES : createBackfillShares(max, () => clock().getTime());
  },
};
