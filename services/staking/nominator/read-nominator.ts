import type { TonAccount } from '../../../contracts/account/ton-account';
import {
  wholeStake,
  type NominatorObserved,
  type NominatorRoundSubject,
  type PoolParties,
  type StakingMemberSubject,
} from '../../../contracts/chain/ton-staking';
import { addressKey } from '../../../contracts/http/address-key';
import type { NominatorResponse, Period } from '../../../contracts/http/staking/indexer';
import { immutable } from '../../../contracts/http/immutable-response';
import { CONTRACT_READS } from '../../../contracts/http/ton/contracts';
import { accountKey } from '../../../contracts/network/network';
import type { Observed } from '../../../contracts/observation/reader';
import type { AnyCall } from '../../http/call';
import { createFirstReadLimit } from '../../http/limits';
import { listReader } from '../../reads/read-list';
import { watchIfPossible } from '../../watch-account';
import { beginningOf, periodUpTo, type PeriodUpTo } from '../period';
import { readKnownRounds, readParties, roundSources, type KnownRound } from '../rounds/known-rounds';
import { nominatorAnswer } from './answer';
import type { NominatorDeps } from './deps';
import { profitsOf } from './profits';
import { movementSources, readMovements, type KnownMovements } from './read-movements';
import { stakesAfterRounds, type StakesAfterRounds } from './stakes-after-rounds';

/**
 * What an account has put into a pool that is followed, was paid and has earned; null for who has moved nothing, for the pool itself
 * and for those that it belongs to, of whom the pool tells nothing.
 * @throws Problem 429, 503 while the history of the member, or a round, has not been read
 */
export type ReadNominator = (
  member: TonAccount,
  pool: string,
  period: Period | undefined,
  call: AnyCall,
) => Promise<NominatorResponse>;

/** What a pool has not answered after so long it has not taken: messages arrive within seconds. */
const MAX_DELIVERY_MS = 3_600_000;
/** Of rounds of a member whose reads count as one. */
const ROUNDS_PER_READ = 10;

/** A member in the documents. */
interface Found {
  readonly known: KnownMovements;
  /** Null while it was not read. */
  readonly stake: Observed<NominatorObserved> | null;
  /** Logical time of the newest transaction of the pool after its newest round. */
  readonly newestRound: bigint;
  readonly after: StakesAfterRounds;
  readonly response: NominatorResponse;
}

const NO_NOMINATOR: NominatorResponse = immutable({ nominator: null, isFollowed: true });
const NOTHING: StakesAfterRounds = { stakes: [], missing: [], stale: [] };

export function createNominatorReads(deps: NominatorDeps): ReadNominator {
  const { views, nominators, nominatorRounds, limits, clock } = deps;
  const limitFirstRead = createFirstReadLimit(limits, CONTRACT_READS);

  return async (member, pool, period, call) => {
    const { network, address } = member;
    const parties = await readParties(deps, network, pool);
    if (!parties || [pool, parties.owner, parties.proxy].includes(address)) return NO_NOMINATOR;
    const watch = await watchIfPossible(deps, member, call);
    const key = accountKey(member);
    const subject = { network, member: address, pool };
    const upTo = periodUpTo(period, clock);
    const read = () => findMember(deps, member, { pool, parties, watch, upTo });
    const known = await read();
    if (isSettled(known, clock()) && !nominators.isStale(known.stake.at)) return known.response;

    const readList = listReader(deps, call);
    const history = await readList('The history of the member', {
      read: () => readMovements(deps, member, pool, { watch, fees: parties }),
      isWhole: ({ knownUpTo }) => knownUpTo !== null,
      waitForChange: (timeoutMs, signal) =>
        views.waitForChange(movementSources(deps, member), timeoutMs, signal),
    });
    if (history.movements.length + history.open.length === 0) return NO_NOMINATOR;

    if (!(await nominators.find(subject))) await limitFirstRead(`${key}/${pool}/nominator`, call);
    const current = await nominators.readDerived<Found>(
      subject,
      {
        find: async () => {
          const found = await read();
          return found.stake ? found : null;
        },
        isStale: ({ stake }) => nominators.isStale(stake!.at),
        isCurrent: found => isCurrent(found, clock()),
      },
      { caller: addressKey(call.ip) },
    );
    if (!current || !isJoined(current, clock())) throw nominators.notReady(subject, 'What the member has');

    const { stale } = current.after;
    let { missing } = current.after;
    if (missing.length === 0) {
      await requestAll(deps, stale);
      return current.response;
    }
    await limitFirstRead(`${key}/${pool}/rounds`, call, Math.ceil(missing.length / ROUNDS_PER_READ));
    const whole = await readList('What the member had after each round', {
      async read() {
        const found = await read();
        ({ missing } = found.after);
        return found;
      },
      isWhole: ({ after }) => after.missing.length === 0,
      request: () => requestAll(deps, missing),
      waitForChange: (timeoutMs, signal) =>
        views.waitForChange([{ collection: nominatorRounds.collection, part: key }], timeoutMs, signal),
    });
    if (!isJoined(whole, clock())) throw nominators.notReady(subject, 'What the member has');
    return whole.response;
  };
}

const requestAll = async (
  { nominatorRounds }: Pick<NominatorDeps, 'nominatorRounds'>,
  subjects: readonly NominatorRoundSubject[],
): Promise<void> => {
  for (const subject of subjects) await nominatorRounds.request(subject);
};

/**
 * Whether it is known of each movement whether it is in the stake: all transactions of the member up to the block of the reading
 * are known, and what has come of their requests.
 */
function isJoined({ stake, known }: Found, now: Date): boolean {
  const memberLt = BigInt(stake?.data.memberLt ?? 0);
  return (
    known.knownUpTo !== null &&
    known.knownUpTo >= memberLt &&
    known.open.every(({ lt, time }) => lt > memberLt || isLost(time, now))
  );
}

/** Whether all of it is known, as of now. */
function isSettled(
  found: Found,
  now: Date,
): found is Found & { readonly stake: Observed<NominatorObserved> } {
  const { stake, after } = found;
  return stake !== null && isCurrent(found, now) && after.missing.length + after.stale.length === 0;
}

/** Whether nothing is known that is newer than the stake. */
function isCurrent(found: Found, now: Date): boolean {
  const { stake, known, newestRound } = found;
  const poolLt = BigInt(stake?.data.poolLt ?? 0);
  return (
    isJoined(found, now) &&
    known.open.every(({ time }) => isLost(time, now)) &&
    poolLt >= (known.movements.at(-1)?.poolLt ?? 0n) &&
    poolLt >= newestRound
  );
}

const isLost = (time: number, now: Date): boolean => now.getTime() - time * 1_000 > MAX_DELIVERY_MS;

interface Asked {
  /** Raw. */
  readonly pool: string;
  readonly parties: PoolParties;
  readonly watch: number | null;
  readonly upTo: PeriodUpTo;
}

/** Computed once until a document changes. */
function findMember(
  deps: NominatorDeps,
  member: TonAccount,
  { pool, parties, watch, upTo }: Asked,
): Promise<Found> {
  const { views, nominators, nominatorRounds } = deps;
  const { network, address } = member;
  const subject: StakingMemberSubject = { network, member: address, pool };
  const { proxy, depositFee, receiptPrice } = parties;
  const query = {
    key: [
      'staking nominator',
      ...[network, address, pool, proxy, depositFee, receiptPrice],
      ...[watch, upTo.period, upTo.now],
    ],
    sources: [
      ...movementSources(deps, member),
      ...roundSources(deps, network, { pool, proxy }),
      { collection: nominators.collection, part: accountKey(member) },
      { collection: nominatorRounds.collection, part: accountKey(member) },
    ],
  };
  return views.cached(query, async () => {
    const known = await readMovements(deps, member, pool, { watch, fees: parties });
    const stake = await nominators.find(subject);
    if (!stake) return { known, stake, newestRound: 0n, after: NOTHING, response: NO_NOMINATOR };
    const rounds = await readKnownRounds(deps, network, { pool, proxy });
    const poolLt = BigInt(stake.data.poolLt);
    const movements = known.movements.filter(movement => movement.poolLt <= poolLt);
    const last = wholeStake(stake.data) === 0n ? (movements.at(-1)?.poolLt ?? 0n) : poolLt;
    const [first] = movements;
    const after = first
      ? await stakesAfterRounds(deps, subject, rounds, { first: first.poolLt, last })
      : NOTHING;
    const since = beginningOf(upTo, rounds.at(-1)?.end.time);
    const profits = profitsOf(stake.data, movements, after.stakes);
    const nominator = nominatorAnswer({ stake, movements, after: after.stakes, ...profits }, since);
    const response = first ? immutable({ nominator, isFollowed: true }) : NO_NOMINATOR;
    return { known, stake, newestRound: newestOf(rounds), after, response };
  });
}

const newestOf = (rounds: readonly KnownRound[]): bigint =>
  BigInt(rounds.findLast(({ pool }) => pool !== null)?.pool?.after.lt ?? 0);
