import { formatTonAddress } from '../../contracts/account/address';
import type { LiquidPool, LiquidPoolObserved } from '../../contracts/chain/ton-liquid-staking';
import { LIQUID_STAKING_POOLS } from '../../contracts/chain/ton-verified-contracts';
import type { LiquidPoolInfo } from '../../contracts/http/staking/liquid';
import type { TonNetwork } from '../../contracts/network/network';
import type { Observed } from '../../contracts/observation/reader';
import type { Reader } from '../watch-account';
import type { StakingDeps } from './deps';
import { readCurrent } from './read-current';

/**
 * The liquid pool of a network, as it said last; null where there is none. For what it said in an earlier round a read waits a while:
 * wallets compute from the round and its end together when a withdrawal is ready.
 * @throws Problem 503 before it has said anything
 */
export async function readLiquidPool(
  { liquidPool, now }: Pick<StakingDeps, 'liquidPool' | 'now'>,
  network: TonNetwork,
  caller: Reader,
): Promise<LiquidPoolInfo | null> {
  const known = await liquidPool.read({ network });
  const isCurrent = ({ data, at }: Observed<LiquidPoolObserved>): boolean =>
    !data || chainTime(data, at, now()) < roundEndAfter(data, data.time);
  const read = await readCurrent(liquidPool, { subject: { network }, known, isCurrent, caller });
  return liquidPoolInfo(read, network, now());
}

/** @param now milliseconds since the epoch, by the clock of `at` */
export function liquidPoolInfo(
  { data, height, at }: Observed<LiquidPoolObserved>,
  network: TonNetwork,
  now: number,
): LiquidPoolInfo | null {
  if (!data) return null;
  const { rateDeposit, rateWithdraw, roundId, proxyZeroStakeUntil, proxyOneStakeUntil } = data;
  const { minStake, depositFee, withdrawFee, receiptPrice, enabled, upgradable, poolFee } = data;
  const { minterSupply, totalBalance, totalSent, totalPendingWithdraw, totalBalanceWithdraw } = data;
  return {
    rateDeposit,
    rateWithdraw,
    roundId,
    extras: {
      minStake,
      depositFee,
      withdrawFee,
      receiptPrice,
      address: formatTonAddress(LIQUID_STAKING_POOLS[network], network),
      enabled,
      upgradable,
      poolFee,
      roundEnd: roundEndAfter(data, chainTime(data, at, now)),
      proxyZeroStakeUntil,
      proxyOneStakeUntil,
      proxyStakeUntil: Math.min(proxyZeroStakeUntil, proxyOneStakeUntil),
    },
    balances: { minterSupply, totalBalance, totalSent, totalPendingWithdraw, totalBalanceWithdraw },
    seqno: height,
    at,
  };
}

/** Unix seconds, of the chain. @param at of the reading @param now milliseconds since the epoch, by the clock of `at` */
function chainTime({ time }: LiquidPool, at: string, now: number): number {
  return time + Math.max(0, Math.floor((now - Date.parse(at)) / 1_000));
}

/**
 * A round of the pool ends when the next election opens, `electorsStartBefore` before the end of a round of validators. In
 * Unix seconds, of the chain.
 */
function roundEndAfter(
  { validationFrom, validatorsElectedFor, electorsStartBefore }: LiquidPool,
  time: number,
): number {
  const next = validationFrom + validatorsElectedFor - electorsStartBefore;
  const passed = Math.max(0, Math.floor((time - next) / validatorsElectedFor) + 1);
  return next + passed * validatorsElectedFor;
}
