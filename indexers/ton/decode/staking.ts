import type { Slice } from '@ton/core';
import type { StakingOperation } from '../../../contracts/chain/ton-transaction';

/** CRC-32 of the operations' names in the nominator pool contract (tonwhales/ton-nominators). */
const WITHDRAW = 0xda803efd;
const WITHOUT_FIELDS = {
  0x7bcd1fef: 'deposit',
  0xc641e932: 'deposit_response',
  0x74bb3427: 'withdraw_delayed',
  0x23d421e1: 'withdraw_response',
} as const;

/** The request to a staking pool, or its response, in a body after its `op`. */
export function stakingOperation(op: number, body: Slice): StakingOperation | null {
  const type = WITHOUT_FIELDS[op as keyof typeof WITHOUT_FIELDS] as
    (typeof WITHOUT_FIELDS)[keyof typeof WITHOUT_FIELDS] | undefined;
  if (type) return { type };
  if (op !== WITHDRAW) return null;
  try {
    const request = body.clone().skip(64);
    request.skip(4 + 8 * request.preloadUint(4)); // gas limit, coins
    return { type: 'withdraw', stake: request.loadCoins().toString() };
  } catch {
    return null;
  }
}
