import type { TonAccount } from '../../../contracts/account/ton-account';
import {
  wholeStake,
  type NominatorObserved,
  type NominatorRoundSubject,
  type PoolParties,
} from '../../../contracts/chain/ton-staking';
import { addressKey } from '../../../contracts/http/address-key';
import { CONTRACT_READS } from '../../../contracts/http/ton/contracts';
import { accountKey } from '../../../contracts/network/network';
import type { Observed } from '../../../contracts/observation/observation';
import type { AnyCall } from '../../http/call';
import { createFirstReadLimit } from '../../http/limits';
import { listReader } from '../../read-list';
import { watchIfPossible } from '../../watch-account';
import { readKnownRounds, readParties } from '../rounds/known-rounds';
import type { NominatorDeps } from './deps';
import type { Movement } from './movements';
import { profitsOf, type Profits, type StakeAfterRound } from './profits';
import { movementSources, readMovements, type KnownMovements } from './read-movements';

/** What a member has in a pool, and what it has earned, as of one block. */
export interface Nominator extends Profits {
  readonly stake: Observed<NominatorObserved>;
  /** Those up to that block, oldest first. */
  readonly movements: readonly Movement[];
  /** Since the first deposit, up to that block. */
  readonly after: readonly StakeAfterRound[];
}

/**
 * Null for who has moved nothing: the pool itself and those that it belongs to have no stake that the pool would tell.
 * @throws Problem 429, 503 while the history of the member, or a round, has not been read
 */
export type ReadNominator = (member: TonAccount, pool: string, call: AnyCall) => Promise<Nominator | null>;

/** Rounds of a member that are read at most, the newest ones: of four years. */
const MAX_ROUNDS = 1_000;
/** What a pool has not answered after so long it has not taken: messages arrive within seconds. */
const MAX_DELIVERY_MS = 3_600_000;

export function createNominatorReads(deps: NominatorDeps): ReadNominator {
  const { limits } = deps;
  const limitFirstRead = createFirstReadLimit(limits, CONTRACT_READS);

  return async (member, pool, call) => {
    const { network, address } = member;
    const parties = await readParties(deps, network, pool);
    if (!parties || [pool, parties.owner, parties.proxy].includes(address)) return null;
    const watch = await watchIfPossible(deps, member, call);
    const readList = listReader(deps, call);
    const read = () => readMovements(deps, member, pool, { watch, fees: parties });
    const known = await readList('The history of the member', {
      read,
      isWhole: ({ knownUpTo }) => watch === null || knownUpTo !== null,
      waitForChange: (timeoutMs, signal) =>
        deps.views.waitForChange(movementSources(deps, member), timeoutMs, signal),
    });
    if (known.movements.length + known.open.length === 0) return null;

    const subject = { network, member: address, pool };
    if (!(await deps.nominators.find(subject)))
      await limitFirstRead(`${accountKey(member)}/${pool}/nominator`, call);
    const current = await readCurrent(deps, subject, parties, read, call);
    const movements = current.known.movements.filter(
      ({ poolLt }) => poolLt <= BigInt(current.stake.data.poolLt),
    );
    if (movements.length === 0) return null;
    let unread: readonly NominatorRoundSubject[] = [];
    const after = await readList('What the member had after each round', {
      async read() {
        const stakes = await stakesAfterRounds(deps, subject, parties, { ...current, movements });
        unread = stakes.missing;
        return stakes;
      },
      isWhole: ({ missing }) => missing.length === 0,
      request: () => requestAll(deps, unread),
      waitForChange: (timeoutMs, signal) =>
        deps.views.waitForChange(
          [{ collection: deps.nominatorRounds.collection, part: accountKey(member) }],
          timeoutMs,
          signal,
        ),
    });
    const { stakes, stale } = after;
    await requestAll(deps, stale);
    return {
      stake: current.stake,
      movements,
      after: stakes,
      ...profitsOf(current.stake.data, movements, stakes),
    };
  };
}

/** A reading of the stake, and the movements that it can be joined with. */
interface Current {
  readonly stake: Observed<NominatorObserved>;
  readonly known: KnownMovements;
}

/** @throws Problem 503 */
async function readCurrent(
  deps: NominatorDeps,
  subject: { readonly network: TonAccount['network']; readonly member: string; readonly pool: string },
  parties: PoolParties,
  read: () => Promise<KnownMovements>,
  { ip }: AnyCall,
): Promise<Current> {
  const { nominators, clock } = deps;
  const of = { pool: subject.pool, proxy: parties.proxy };
  const found = await nominators.readDerived<Current & { readonly newestRound: bigint }>(
    subject,
    {
      async find() {
        const stake = await nominators.find(subject);
        if (!stake) return null;
        const [known, rounds] = await Promise.all([read(), readKnownRounds(deps, subject.network, of)]);
        const newest = rounds.findLast(({ pool }) => pool !== null)?.pool;
        return { stake, known, newestRound: BigInt(newest?.after.lt ?? 0) };
      },
      isStale: ({ stake }) => nominators.isStale(stake.at),
      isCurrent({ stake, known, newestRound }) {
        const poolLt = BigInt(stake.data.poolLt);
        const newestMovement = known.movements.at(-1)?.poolLt ?? 0n;
        return (
          isJoined({ stake, known }, clock()) &&
          known.open.every(({ time }) => isLost(time, clock())) &&
          poolLt >= newestMovement &&
          poolLt >= newestRound
        );
      },
    },
    { caller: addressKey(ip) },
  );
  if (!found || !isJoined(found, clock())) throw nominators.notReady(subject, 'What the member has');
  return found;
}

/**
 * Whether it is known of each movement whether it is in the stake: all transactions of the member up to the block of the reading
 * are known, and what has come of their requests.
 */
function isJoined({ stake, known }: Current, now: Date): boolean {
  const memberLt = BigInt(stake.data.memberLt);
  return (
    (known.knownUpTo === null || known.knownUpTo >= memberLt) &&
    known.open.every(({ lt, time }) => lt > memberLt || isLost(time, now))
  );
}

const isLost = (time: number, now: Date): boolean => now.getTime() - time * 1_000 > MAX_DELIVERY_MS;

const requestAll = async (
  { nominatorRounds }: Pick<NominatorDeps, 'nominatorRounds'>,
  subjects: readonly NominatorRoundSubject[],
): Promise<void> => {
  for (const subject of subjects) await nominatorRounds.request(subject);
};

interface StakesAfterRounds {
  readonly stakes: readonly StakeAfterRound[];
  /** Those that were not read. */
  readonly missing: readonly NominatorRoundSubject[];
  /** Those that could not be read some time ago. */
  readonly stale: readonly NominatorRoundSubject[];
}

/** What a member had after each round since its first deposit. */
async function stakesAfterRounds(
  deps: NominatorDeps,
  subject: { readonly network: TonAccount['network']; readonly member: string; readonly pool: string },
  { proxy }: PoolParties,
  {
    stake,
    movements,
  }: { readonly stake: Observed<NominatorObserved>; readonly movements: readonly Movement[] },
): Promise<StakesAfterRounds> {
  const { nominatorRounds } = deps;
  const first = movements[0]!.poolLt;
  // Who has left earns nothing any more.
  const last = wholeStake(stake.data) === 0n ? movements.at(-1)!.poolLt : BigInt(stake.data.poolLt);
  const rounds = (await readKnownRounds(deps, subject.network, { pool: subject.pool, proxy }))
    .flatMap(({ end, pool }) => (pool ? [{ time: end.time, ...pool }] : []))
    .filter(({ after }) => BigInt(after.lt) >= first && BigInt(after.lt) <= last)
    .slice(-MAX_ROUNDS);
  const subjects = rounds.map(({ after, time }) => ({ ...subject, seqno: after.seqno, time }));
  const found = await nominatorRounds.findMany(subjects);
  const missing = subjects.filter((_, place) => !found[place]);
  const stale = subjects.filter((_, place) => {
    const observed = found[place];
    return observed?.data === null && nominatorRounds.isStale(observed.at);
  });
  const stakes = rounds.map(({ round, time, after }, place) => ({
    ...{ round, time, seqno: after.seqno, poolLt: BigInt(after.lt) },
    stake: found[place]?.data ?? null,
  }));
  return { stakes, missing, stale };
}
