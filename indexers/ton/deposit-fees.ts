import { LRUCache } from 'lru-cache';
import type { DepositFees } from '../../contracts/chain/ton-trace';
import type { TonClient } from '../../contracts/ports/ton-client';
import { isCoins } from './coins';
import { askContract } from './get-method';

/** Only pools that operators and wallets list are asked. */
const MAX_POOLS = 1_000;
/** The owner of a pool may change its fees, and hardly ever does. */
const TTL_MS = 600_000;

/**
 * Reads what nominator pools (raw, tonwhales/ton-nominators) take of a deposit, as of a masterchain block: `get_params` answers
 * `enabled updates_enabled min_stake deposit_fee withdraw_fee pool_fee receipt_price`. A pool that does not is left out.
 * @throws Error when the source does not answer
 */
export function createDepositFees(client: Pick<TonClient, 'runMethod'>) {
  const known = new LRUCache<string, DepositFees>({ max: MAX_POOLS, ttl: TTL_MS });

  async function read(pool: string, seqno: number): Promise<DepositFees> {
    const { value } = await askContract(client, seqno, pool, 'get_params', [], stack => {
      stack.skip(3);
      const fee = stack.readBigNumber();
      stack.skip(2);
      return { fee, receipt: stack.readBigNumber() };
    });
    const isRead = value !== null && isCoins(value.fee) && isCoins(value.receipt);
    const fees = isRead ? { [pool]: { fee: String(value.fee), receipt: String(value.receipt) } } : {};
    known.set(pool, fees);
    return fees;
  }

  return async (pools: readonly string[], seqno: number): Promise<DepositFees> => {
    const fees = await Promise.all(pools.map(async pool => known.get(pool) ?? read(pool, seqno)));
    return Object.assign({}, ...fees) as DepositFees;
  };
}
