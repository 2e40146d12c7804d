import type { Slice } from '@ton/core';
import type { StakingOperation } from '../../../contracts/chain/ton-transaction';

/** CRC-32 of the operations' names in the nominator pool contract (tonwhales/ton-nominators). */
const DEPOSIT = 0x7bcd1fef;
const DEPOSIT_RESPONSE = 0xc641e932;
const WITHDRAW = 0xda803efd;

/** The request to a staking pool, or its response, in a body after its `op`. */
export function stakingOperation(op: number, body: Slice): StakingOperation | null {
  if (op === DEPOSIT) return { type: 'deposit' };
  if (op === DEPOSIT_RESPONSE) return { type: 'deposit_response' };
  if (op !== WITHDRAW) return null;
  try {
    const request = body.clone().skip(64);
    request.skip(4 + 8 * request.preloadUint(4)); // gas limit, coins
    return { type: 'withdraw', stake: request.loadCoins().toString() };
  } catch {
    return null;
  }
}
