import type { DepositFees } from '../../contracts/chain/ton-trace';
import type { ContractKind, KnownContracts } from '../../contracts/chain/ton-verified-contracts';
import type { TonClient } from '../../contracts/ports/ton-client';
import { isCoins } from './coins';
import { askContract } from './get-method';

/** The get method of a pool, and the places of its fee of a deposit and of the price of a receipt in what that answers. */
const ANSWERS: Partial<Record<ContractKind, { method: string; fee: number; receipt: number }>> = {
  // enabled updates_enabled min_stake deposit_fee withdraw_fee pool_fee receipt_price
  staking_pool: { method: 'get_params', fee: 3, receipt: 6 },
  // rate_deposit rate_withdraw round_id enabled upgradable min_stake deposit_fee withdraw_fee receipt_price ...
  liquid_pool: { method: 'get_pool_status', fee: 6, receipt: 8 },
};

/**
 * Reads what pools (raw) of these kinds take of a deposit, as of a masterchain block: their owners may change it. One that does not
 * answer is left out, as is what is no pool.
 * @throws Error when the source does not answer
 */
export function createDepositFees(client: Pick<TonClient, 'runMethod'>, kinds: KnownContracts) {
  async function read(pool: string, seqno: number): Promise<DepositFees> {
    const { method, fee, receipt } = ANSWERS[kinds[pool]!]!;
    const { value } = await askContract(client, seqno, pool, method, [], stack => {
      stack.skip(fee);
      const taken = stack.readBigNumber();
      stack.skip(receipt - fee - 1);
      return { fee: taken, receipt: stack.readBigNumber() };
    });
    const isRead = value !== null && isCoins(value.fee) && isCoins(value.receipt);
    return isRead ? { [pool]: { fee: String(value.fee), receipt: String(value.receipt) } } : {};
  }

  return {
    isPool: (address: string): boolean => {
      const kind = kinds[address];
      return kind !== undefined && ANSWERS[kind] !== undefined;
    },
    async of(pools: readonly string[], seqno: number): Promise<DepositFees> {
      const fees = await Promise.all(pools.map(pool => read(pool, seqno)));
      return Object.assign({}, ...fees) as DepositFees;
    },
  };
}
