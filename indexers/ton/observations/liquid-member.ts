import { Dictionary, type TupleReader } from '@ton/core';
import type { TonContractSubject } from '../../../contracts/chain/ton-contract';
import { liquidMemberObserved, type LiquidMemberObserved } from '../../../contracts/chain/ton-liquid-staking';
import { UNREAD_STAKE_MS } from '../../../contracts/chain/ton-staking';
import { LIQUID_STAKING_POOLS } from '../../../contracts/chain/ton-verified-contracts';
import { defineObservation, type Clients, type Reading } from '../../../contracts/observation/observation';
import type { TonClient } from '../../../contracts/ports/ton-client';
import { isCoins } from '../coins';
import { askContract } from '../get-method';
import { knownWalletOf, readWalletData } from '../jetton-wallets';
import { contractSubject, STAKING_SOURCE, UNREAD_STAKING_SOURCE } from './source';

/**
 * The pool names the wallet, and the wallet its owner and the pool. Either of them, where it exists and says what none can, fails
 * the reading: who has staked is never somebody who has not.
 */
async function readMember(
  { ton }: Clients,
  { network, address: owner }: TonContractSubject,
): Promise<Reading<LiquidMemberObserved>> {
  const client = ton(network);
  const pool = LIQUID_STAKING_POOLS[network];
  // Together, as far as they can be: a wallet waits for it, and nodes may be far away.
  const [{ seqno: height }, wallet] = await Promise.all([
    client.getLastBlock(),
    knownWalletOf(client, { master: pool, owner }),
  ]);
  if (wallet === null) {
    await requireNoContract(client, height, pool);
    return { height, data: { wallet: null, stake: null } };
  }
  const [{ value }, pending] = await Promise.all([
    askContract(client, height, wallet, 'get_wallet_data', [], stack => ({
      ...readWalletData(stack),
      code: stack.readCell(),
    })),
    askContract(client, height, wallet, 'get_pending_withdrawals', [], readWithdrawals),
  ]);
  if (!value) {
    await requireNoContract(client, height, wallet);
    return { height, data: { wallet, stake: null } };
  }
  if (value.owner !== owner || value.master !== pool || !isCoins(value.balance) || !pending.value)
    throw new Error(`the wallet ${wallet} is not as those of the liquid pool are`);
  const stake = {
    balance: String(value.balance),
    code: value.code.toBoc().toString('base64'),
    pendingWithdrawals: pending.value,
  };
  return { height, data: { wallet, stake } };
}

/** @throws Error where there is a contract, which has not said what it was asked */
async function requireNoContract(
  client: Pick<TonClient, 'getAccountLite'>,
  seqno: number,
  address: string,
): Promise<void> {
  const { status } = await client.getAccountLite(seqno, address);
  if (status !== 'uninitialized')
    throw new Error(`the contract ${address} of liquid staking does not answer`);
}

/** A dictionary of coins by round; null where there are none. @throws Error for anything else */
function readWithdrawals(stack: TupleReader): Readonly<Record<string, string>> {
  const cell = stack.readCellOpt();
  if (!cell) return {};
  const byRound = Dictionary.loadDirect(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(4), cell);
  return Object.fromEntries([...byRound].map(([round, coins]) => [String(round), String(coins)]));
}

/** What an account has in the liquid pool, once it is known to have a wallet of wsTON. */
export const liquidMemberObservation = defineObservation({
  kind: 'ton.staking.liquid.member',
  subject: contractSubject,
  schema: liquidMemberObserved,
  source: STAKING_SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 30_000,
  ages: true,
  changedBy: { field: 'wallet' },
  read: readMember,
});

/** The same of an account that is not known to have one; nothing is stored of it: anyone can think of any number. */
export const unreadLiquidMember = defineObservation({
  kind: 'ton.unread.staking.liquid.member',
  recorded: false,
  subject: contractSubject,
  schema: liquidMemberObserved,
  source: UNREAD_STAKING_SOURCE,
  ttlMs: UNREAD_STAKE_MS,
  maxEntries: 50_000,
  read: readMember,
});
