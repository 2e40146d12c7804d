import { failureLevel } from '../../../contracts/engine/engine-unavailable';
import { accountOfKey } from '../../../contracts/network/network';
import { Problem } from '../../../contracts/problem/problem';
import type { CardAccountDocument } from '../../../projections/card/accounts';
import type { Reader } from '../../watch-account';
import type { CardMoneyRoutesDeps } from '../money-deps';

/** While its holder reads an account, the indexer sees what is paid to it. An account that cannot be watched now is the next time. */
export async function watchDeposits(
  { watch, logger }: Pick<CardMoneyRoutesDeps, 'watch' | 'logger'>,
  accounts: readonly Pick<CardAccountDocument, 'deposit'>[],
  reader: Reader,
): Promise<void> {
  for (const { deposit } of accounts) {
    if (deposit === null) continue;
    try {
      await watch(accountOfKey(deposit), reader);
    } catch (error) {
      // Refused to a reader who has read too much, who may ask again as often.
      if (!(error instanceof Problem))
        logger[failureLevel(error, 'warn')]({ err: error }, 'address of a card account is not watched');
    }
  }
}
