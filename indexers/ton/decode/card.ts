import type { Slice } from '@ton/core';
import type { CardOperation } from '../../../contracts/chain/ton-transaction';
import { readOrNull } from './format';

/** Operations of the card accounts that the wallet app knows. */
const ACCOUNT_TOP_UP = 0x59da2019;
const ACCOUNT_LIMITS_CHANGE = 0x2bc69c40;

/** The request to the account of a payment card in a body after its `op`: a query id, then amounts. */
export function cardOperation(op: number, body: Slice): CardOperation | null {
  if (op !== ACCOUNT_TOP_UP && op !== ACCOUNT_LIMITS_CHANGE) return null;
  return readOrNull(() => {
    const request = body.clone().skip(64);
    const coins = (): string => request.loadCoins().toString();
    if (op === ACCOUNT_TOP_UP) return { type: 'account_top_up', amount: coins() };
    return { type: 'account_limits_change', onetime: coins(), daily: coins(), monthly: coins() };
  });
}
