import type { NominatorRoundSubject, StakingMemberSubject } from '../../../contracts/chain/ton-staking';
import type { KnownRound } from '../rounds/known-rounds';
import type { NominatorDeps } from './deps';
import type { StakeAfterRound } from './profits';

/** What a member had after its rounds, oldest first. */
export interface StakesAfterRounds {
  readonly stakes: readonly StakeAfterRound[];
  /** Those that were not read. */
  readonly missing: readonly NominatorRoundSubject[];
  /** Those that could not be read some time ago. */
  readonly stale: readonly NominatorRoundSubject[];
}

/** Rounds of a member that are read at most, the newest ones: of four years. */
export const MAX_ROUNDS = 1_000;

/** @param between logical times of transactions of the pool: rounds that it has ended before and after them are others' */
export async function stakesAfterRounds(
  { nominatorRounds }: Pick<NominatorDeps, 'nominatorRounds'>,
  member: StakingMemberSubject,
  known: readonly KnownRound[],
  between: { readonly first: bigint; readonly last: bigint },
): Promise<StakesAfterRounds> {
  const rounds = known
    .flatMap(({ end, pool }) => (pool ? [{ time: end.time, ...pool }] : []))
    .filter(({ after }) => BigInt(after.lt) >= between.first && BigInt(after.lt) <= between.last)
    .slice(-MAX_ROUNDS);
  const subjects = rounds.map(({ after, time }) => ({ ...member, seqno: after.seqno, time }));
  const found = await nominatorRounds.findMany(subjects);
  const stakes = rounds.map(({ round, time, after }, place) => ({
    round,
    time,
    seqno: after.seqno,
    poolLt: BigInt(after.lt),
    stake: found[place]?.data ?? null,
  }));
  return {
    stakes,
    missing: subjects.filter((_, place) => !found[place]),
    stale: subjects.filter((_, place) => {
      const observed = found[place];
      return observed?.data === null && nominatorRounds.isStale(observed.at);
    }),
  };
}
