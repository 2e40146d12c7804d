import type { TonAccount } from '../../contracts/account/ton-account';
import { hasStake, NO_STAKE, type StakeOfMember } from '../../contracts/chain/ton-staking';
import { addressKey } from '../../contracts/http/address-key';
import { CONTRACT_READS } from '../../contracts/http/ton/contracts';
import { accountKey, type TonNetwork } from '../../contracts/network/network';
import type { Observed } from '../../contracts/observation/observation';
import { createFirstReadLimit } from '../http/limits';
import type { Reader } from '../watch-account';
import { createCounterparties } from './counterparties';
import type { StakingDeps } from './deps';
import { readCurrent } from './read-current';

/** More than there are pools that are followed. */
const MAX_STAKES = 1_000;
/** Of a pool: of twenty years. */
const MAX_ROUNDS = 10_000;

/**
 * What an account has in a pool (raw). Stakes in followed pools are served from documents, and refreshed in the background
 * once they are stale; for one that is older than the newest transaction between the account and the pool, or than the newest round
 * of the pool, a read waits a while. All else is read at its first use, and cached.
 * @throws Problem 429, 503 when it has not been read
 */
export type ReadStake = (
  member: TonAccount,
  pool: string,
  caller: Reader,
) => Promise<Observed<StakeOfMember>>;

export function createStakeReads(deps: StakingDeps): ReadStake {
  const { views, members, unread, rounds, pools, limits } = deps;
  const counterparties = createCounterparties(deps);
  /** Anybody can name any contract as a pool: each read of one costs calls of a node. */
  const limitFirstRead = createFirstReadLimit(limits, CONTRACT_READS);

  const storedOf = (account: TonAccount): Promise<Readonly<Record<string, Observed<StakeOfMember>>>> => {
    const part = accountKey(account);
    return views.cached(
      {
        key: ['stakes of a TON account', account.network, account.address],
        sources: [{ collection: members.collection, part }],
      },
      async () => {
        const found = await members.findPart(part, MAX_STAKES);
        return Object.fromEntries(found.map(({ subject, observed }) => [subject.pool, observed]));
      },
    );
  };

  /** By pool, the masterchain block after its newest round. */
  const roundsOf = (network: TonNetwork): Promise<Readonly<Record<string, number>>> =>
    views.cached(
      { key: ['newest rounds of staking pools', network], sources: [{ collection: rounds.collection }] },
      async () => {
        const blocks: Record<string, number> = {};
        for (const pool of pools[network]) {
          const part = accountKey({ chain: 'ton', network, address: pool });
          const ended = await rounds.findPart(part, MAX_ROUNDS);
          blocks[pool] = Math.max(0, ...ended.map(({ observed }) => observed.data?.after.seqno ?? 0));
        }
        return blocks;
      },
    );

  return async (account, pool, caller) => {
    const { network, address: member } = account;
    const subject = { network, member, pool };
    const isFollowed = pools[network].includes(pool);
    const [stored, blocks, ends] = await Promise.all([
      storedOf(account),
      counterparties(account),
      roundsOf(network),
    ]);
    const isCurrent = ({ height, data }: Observed<StakeOfMember>): boolean =>
      (height ?? -1) >= Math.max(blocks[pool] ?? -1, hasStake(data) ? (ends[pool] ?? -1) : -1);

    let known: Observed<StakeOfMember> | null = stored[pool] ?? null;
    if (!known) {
      if (!isFollowed) await limitFirstRead(`${accountKey(account)}/${pool}`, caller);
      const read = await unread.read(subject, { caller: addressKey(caller.ip) });
      known = { ...read, data: read.data ?? NO_STAKE };
      if (isFollowed && hasStake(known.data)) void members.request(subject);
    } else if (members.isStale(known.at)) void members.request(subject);
    return isFollowed ? readCurrent(members, { subject, known, isCurrent, caller }) : known;
  };
}
