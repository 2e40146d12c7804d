import type { NominatorObserved } from '../../../contracts/chain/ton-staking';
import type { NominatorAnswer } from '../../../contracts/http/staking/indexer';
import type { Observed } from '../../../contracts/observation/reader';
import type { Movement } from './movements';
import { PROFIT_FORMULA, profitSince, type Profits, type StakeAfterRound } from './profits';

/** What a member has in a pool, and what it has earned, as of one block. */
interface Nominator extends Profits {
  readonly stake: Observed<NominatorObserved>;
  /** Those up to that block, oldest first. */
  readonly movements: readonly Movement[];
  /** Since the first deposit, up to that block. */
  readonly after: readonly StakeAfterRound[];
}

/** What is shown of a member. @param since Unix seconds: the beginning of the period */
export function nominatorAnswer(nominator: Nominator, since: number): NominatorAnswer {
  const { stake, movements, after, total, deposited, withdrawn, rounds } = nominator;
  const { poolLt: _pool, memberLt: _member, ...amounts } = stake.data;
  const isOfPeriod = ({ time }: { readonly time: number }): boolean => time >= since;
  const ofType = (type: Movement['type']) =>
    movements
      .filter(movement => movement.type === type && isOfPeriod(movement))
      .map(({ amount, time, trigger }) => ({ amount: String(amount), time: instant(time), trigger }));
  const sinceThen = profitSince({ total, rounds }, after, since);
  const [first] = rounds;
  return {
    profitAmount: String(total),
    totalDepositAmount: String(deposited),
    totalWithdrawAmount: String(withdrawn),
    profitByTimespan: sinceThen === null ? null : String(sinceThen),
    deposits: ofType('deposit'),
    withdraws: ofType('withdraw'),
    profits: rounds
      .filter(isOfPeriod)
      .map(({ amount, time, ...of }) => ({ ...of, amount: String(amount), time: instant(time) })),
    roundsKnownSince: first ? instant(first.time) : null,
    ...amounts,
    seqno: stake.height,
    at: stake.at,
    formula: PROFIT_FORMULA,
  };
}

const instant = (seconds: number): string => new Date(seconds * 1_000).toISOString();
