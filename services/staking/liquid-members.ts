import type { TonAccount } from '../../contracts/account/ton-account';
import type { LiquidMemberObserved } from '../../contracts/chain/ton-liquid-staking';
import { UNREAD_STAKE_MS } from '../../contracts/chain/ton-staking';
import { LIQUID_STAKING_POOLS } from '../../contracts/chain/ton-verified-contracts';
import { addressKey } from '../../contracts/http/address-key';
import { CONTRACT_READS } from '../../contracts/http/ton/contracts';
import { accountKey } from '../../contracts/network/network';
import type { Observed } from '../../contracts/observation/reader';
import { createFirstReadLimit } from '../http/limits';
import type { Reader } from '../watch-account';
import { createCounterparties } from './counterparties';
import type { StakingDeps } from './deps';
import { readCurrent } from './read-current';

/**
 * What an account has in the liquid pool. It is stored once it is known to have a wallet,
 * and refreshed in the background once it is stale. For what is older than the newest transaction between the account and the
 * pool, or its wallet, a read waits a while.
 * @throws Problem 429, 503 when it has not been read
 */
export type ReadLiquidMember = (
  member: TonAccount,
  caller: Reader,
) => Promise<Observed<LiquidMemberObserved>>;

export function createLiquidMemberReads(
  deps: Pick<
    StakingDeps,
    'views' | 'transactions' | 'liquidMembers' | 'unreadLiquidMember' | 'limits' | 'now'
  >,
): ReadLiquidMember {
  const { liquidMembers: members, unreadLiquidMember: unread, limits, now } = deps;
  const counterparties = createCounterparties(deps);
  const limitFirstRead = createFirstReadLimit(limits, CONTRACT_READS, { onceMs: UNREAD_STAKE_MS, now });

  async function first(account: TonAccount, caller: Reader): Promise<Observed<LiquidMemberObserved>> {
    await limitFirstRead(`${accountKey(account)}/liquid`, caller);
    const read = await unread.read(account, { caller: addressKey(caller.ip) });
    if (read.data.stake) void members.request(account);
    return read;
  }

  return async (account, caller) => {
    const [stored, blocks] = await Promise.all([members.find(account), counterparties(account)]);
    const pool = LIQUID_STAKING_POOLS[account.network];
    const isCurrent = ({ height, data }: Observed<LiquidMemberObserved>): boolean =>
      [pool, ...(data.wallet ? [data.wallet] : [])].every(party => (height ?? -1) >= (blocks[party] ?? -1));

    if (stored && members.isStale(stored.at)) void members.request(account);
    const known = stored ?? (await first(account, caller));
    const found = await readCurrent(members, { subject: account, known, isCurrent, caller });
    // An account that has just staked for the first time would be shown as one that never has.
    if (!found.data.stake && !isCurrent(found))
      throw members.notReady(account, 'What the account has staked');
    return found;
  };
}
