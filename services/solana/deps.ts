import type { RequestObservation } from '../../contracts/chain/observation';
import type { AccountRef } from '../../contracts/network';
import type { Views } from '../../projections/views';

export interface SolanaReadDeps {
  readonly views: Views;
  /** Has an account followed from now on, its past included. */
  readonly watch: (account: AccountRef) => Promise<void>;
  readonly request: RequestObservation;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds that a read may wait for what is not there yet; default 2,500. */
  readonly patience?: number;
}
