import type { TonAccount } from '../../contracts/account/ton-account';
import { hasStake, NO_STAKE, UNREAD_STAKE_MS, type StakeOfMember } from '../../contracts/chain/ton-staking';
import { addressKey } from '../../contracts/http/address-key';
import { immutable } from '../../contracts/http/immutable-response';
import type { MemberInfo } from '../../contracts/http/staking/member';
import { CONTRACT_READS } from '../../contracts/http/ton/contracts';
import { accountKey } from '../../contracts/network/network';
import type { Observed } from '../../contracts/observation/reader';
import { createFirstReadLimit } from '../http/limits';
import type { Reader } from '../watch-account';
import type { StakingDeps } from './deps';
import { createKnownStakes, isCurrentStake, type KnownStakes } from './known-stakes';
import { readCurrent } from './read-current';

/** A pool: the form in which it was asked for, and its address (raw). Several forms may be of one pool. */
export type AskedPool = readonly [form: string, pool: string];

/**
 * What an account has in pools, by the form in which each was asked for. Stakes in followed pools are served from documents, and
 * refreshed in the background once they are stale; for one that is older than the newest transaction between the account and the
 * pool, or than the newest round of the pool, a read waits a while. All else is read at its first use, and cached.
 * @throws Problem 429, 503 when it has not been read
 */
export type ReadMemberInfo = (
  member: TonAccount,
  asked: readonly AskedPool[],
  caller: Reader,
) => Promise<Readonly<Record<string, MemberInfo>>>;

/** An answer from documents alone. */
interface StoredAnswer {
  readonly response: Readonly<Record<string, MemberInfo>>;
  /** When each stake was read. */
  readonly ages: readonly (readonly [pool: string, at: string])[];
}

/** Of an account, so many pools that are followed count as one read: wallets ask for all of them. */
const POOLS_PER_READ = 10;

export function createMemberInfo(deps: StakingDeps): ReadMemberInfo {
  const { views, members, unread, pools, limits, now } = deps;
  const knownStakes = createKnownStakes(deps);
  /** Anybody can name any account, and any contract as a pool: each read costs calls of a node. */
  const limitFirstRead = createFirstReadLimit(limits, CONTRACT_READS, { onceMs: UNREAD_STAKE_MS, now });

  /** Null where one of the stakes is not stored, or not current. */
  const storedAnswer = (account: TonAccount, asked: readonly AskedPool[]): Promise<StoredAnswer | null> => {
    const { network, address } = account;
    const key = ['stakes shown of a TON account', network, address, asked];
    const compute = async (): Promise<StoredAnswer | null> => {
      const known = await knownStakes.of(account);
      const isStored = asked.every(([, pool]) => {
        const stake = known.stored[pool];
        return stake && isCurrentStake(known, pool, stake);
      });
      if (!isStored) return null;
      const response = shown(asked, pool => known.stored[pool]!);
      return { response: immutable(response), ages: asked.map(([form, pool]) => [pool, response[form]!.at]) };
    };
    // Of what is not answered from documents nothing is cached: anybody can think of any list of pools.
    return views.cached({ key, sources: knownStakes.sources(account) }, compute, answer => answer !== null);
  };

  const readStake = async (
    account: TonAccount,
    pool: string,
    known: KnownStakes,
    caller: Reader,
  ): Promise<Observed<StakeOfMember>> => {
    const { network, address: member } = account;
    const subject = { network, member, pool };
    const isFollowed = pools[network].includes(pool);
    let stake: Observed<StakeOfMember> | null = known.stored[pool] ?? null;
    if (!stake) {
      if (!isFollowed) await limitFirstRead(`${accountKey(account)}/${pool}`, caller);
      const read = await unread.read(subject, { caller: addressKey(caller.ip) });
      stake = { ...read, data: read.data ?? NO_STAKE };
      if (isFollowed && hasStake(stake.data)) void members.request(subject);
    } else if (members.isStale(stake.at)) void members.request(subject);
    if (!isFollowed) return stake;
    const isCurrent = (reading: Observed<StakeOfMember>): boolean => isCurrentStake(known, pool, reading);
    return readCurrent(members, { subject, known: stake, isCurrent, caller });
  };

  return async (account, asked, caller) => {
    const { network, address: member } = account;
    const answer = await storedAnswer(account, asked);
    if (answer) {
      for (const [pool, at] of answer.ages)
        if (members.isStale(at)) void members.request({ network, member, pool });
      return answer.response;
    }
    const known = await knownStakes.of(account);
    const different = [...new Set(asked.map(([, pool]) => pool))];
    const followed = pools[network];
    if (different.some(pool => followed.includes(pool) && !known.stored[pool]))
      await limitFirstRead(accountKey(account), caller, Math.ceil(followed.length / POOLS_PER_READ));
    const stakes = await Promise.all(
      different.map(async pool => [pool, await readStake(account, pool, known, caller)] as const),
    );
    const byPool = new Map(stakes);
    return shown(asked, pool => byPool.get(pool)!);
  };
}

function shown(
  asked: readonly AskedPool[],
  stakeIn: (pool: string) => Observed<StakeOfMember>,
): Record<string, MemberInfo> {
  return Object.fromEntries(
    asked.map(([form, pool]) => {
      const { data, height, at } = stakeIn(pool);
      return [form, { ...data, seqno: height, at }];
    }),
  );
}
