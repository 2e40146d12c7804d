import { addressKey } from '../../contracts/http/address-key';
import { networkOf, tonAccount } from '../../contracts/account/ton-account';
import type { TonContractSubject } from '../../contracts/chain/ton-contract';
import {
  PRICED_SHARES,
  UNREAD_USDE_MEMBER_MS,
  USDE_CONTRACTS,
  type SharePrice,
  type UsdeMemberObserved,
} from '../../contracts/chain/ton-usde';
import { CONTRACT_READS } from '../../contracts/http/ton/contracts';
import { stakedUsdeApy, stakedUsdeMember, stakedUsdeRate } from '../../contracts/http/usde/usde';
import type { Observed, ObservedReader, UnrecordedReader } from '../../contracts/observation/reader';
import type { RateLimits } from '../../contracts/ports/rate-limits';
import { Problem } from '../../contracts/problem/problem';
import type { TonTransactions } from '../../projections/ton/transactions/queries';
import { addressFormatter } from '../../projections/ton/format-address';
import { bind, type Binding } from '../http/binding';
import type { AnyCall } from '../http/call';
import { createFirstReadLimit } from '../http/limits';
import { APY_FORMULA, earlierPrice, secondsToApy, shareApy } from './apy';
import { currentPrice, pricesBefore, type SharePriceReaders } from './prices';

export interface UsdeDeps extends SharePriceReaders {
  readonly members: ObservedReader<TonContractSubject, UsdeMemberObserved>;
  /** Reads a member of whom nothing is stored. */
  readonly unread: UnrecordedReader<TonContractSubject, UsdeMemberObserved>;
  readonly transactions: Pick<TonTransactions, 'page'>;
  /** Opened at the first use. */
  readonly limits: () => Promise<RateLimits>;
  readonly clock: () => Date;
}

const APY_DIGITS = 4;

/** Staked USDe: what a share is worth and earns, and what an account has. */
export function usdeRoutes(deps: UsdeDeps): Binding[] {
  const { members, unread, transactions, limits, clock } = deps;
  const now = () => clock().getTime();
  const limitRead = createFirstReadLimit(limits, CONTRACT_READS, { onceMs: UNREAD_USDE_MEMBER_MS, now });

  /** A member is stored once it is known to have a wallet, and refreshed behind an answer that is stale. */
  async function member(account: TonContractSubject, call: AnyCall): Promise<Observed<UsdeMemberObserved>> {
    const stored = await members.find(account);
    if (stored?.data) {
      if (members.isStale(stored.at)) void members.request(account);
      return stored;
    }
    await limitRead(`usde/${account.network}/${account.address}`, call);
    // An account that has just staked for the first time had nothing a moment ago.
    const { transactions: newest } = await transactions.page(account.network, account.address, { limit: 1 });
    const minHeight = newest[0]?.seqno ?? 0;
    const found = await unread.read(account, { caller: addressKey(call.ip), minHeight });
    if (found.data) await members.request(account);
    return found;
  }

  return [
    bind(stakedUsdeRate, async ({ params: { network } }) => shown(await currentPrice(deps, network))),
    bind(stakedUsdeApy, async ({ params: { network } }) => {
      const to = await currentPrice(deps, network);
      const earlier = await pricesBefore(deps, network, to);
      const from = earlierPrice(earlier, to);
      const apy = from && shareApy(from, to);
      if (!from || apy === null)
        throw Problem.unavailable(
          'No two prices of tsUSDe are known that are a day apart and that a yield follows from.',
          secondsToApy(earlier, to),
        );
      return { apy: apy.toFixed(APY_DIGITS), from: shown(from), to: shown(to), formula: APY_FORMULA };
    }),
    bind(stakedUsdeMember, async call => {
      const { address, isTestnet } = call.body;
      const { network, address: owner } = tonAccount(address, networkOf(isTestnet), '/body/isTestnet');
      const { data, at } = await member({ network, address: owner }, call);
      if (!data) return null;
      const { balance, locked, unlockAt } = data;
      const format = addressFormatter(network);
      return {
        balance,
        owner: format(owner),
        minter: format(USDE_CONTRACTS[network].stakedUsde),
        timeLocked: locked === '0' ? null : { balance: locked, limit: String(unlockAt) },
        at,
      };
    }),
  ];
}

const shown = ({ price, seqno, time }: SharePrice) => ({
  usdeRate: Number(price) / Number(PRICED_SHARES),
  seqno,
  time: new Date(time * 1000).toISOString(),
});
