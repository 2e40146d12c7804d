import type { TonAccount } from '../../contracts/account/ton-account';
import { hasStake, type StakeOfMember } from '../../contracts/chain/ton-staking';
import { accountKey, type TonNetwork } from '../../contracts/network/network';
import type { Observed } from '../../contracts/observation/reader';
import type { Source } from '../../contracts/ports/documents';
import { createCounterparties } from './counterparties';
import type { StakingDeps } from './deps';

/** More than there are pools that are followed. */
const MAX_STAKES = 1_000;
/** Of a pool: of twenty years. */
const MAX_ROUNDS = 10_000;

/** What the documents say of the stakes of an account, by pool (raw). */
export interface KnownStakes {
  readonly stored: Readonly<Record<string, Observed<StakeOfMember>>>;
  /** Masterchain block of the newest transaction of the account with it. */
  readonly moved: Readonly<Record<string, number>>;
  /** Masterchain block after its newest round. */
  readonly ended: Readonly<Record<string, number>>;
}

/** Whether nothing is known that has changed a stake since it was read. */
export function isCurrentStake(
  { moved, ended }: Pick<KnownStakes, 'moved' | 'ended'>,
  pool: string,
  { height, data }: Observed<StakeOfMember>,
): boolean {
  const round = hasStake(data) ? (ended[pool] ?? -1) : -1;
  return (height ?? -1) >= Math.max(moved[pool] ?? -1, round);
}

export interface KnownStakesReader {
  of(account: TonAccount): Promise<KnownStakes>;
  sources(account: TonAccount): readonly Source[];
}

export function createKnownStakes(
  deps: Pick<StakingDeps, 'views' | 'transactions' | 'members' | 'rounds' | 'pools'>,
): KnownStakesReader {
  const { views, transactions, members, rounds, pools } = deps;
  const counterparties = createCounterparties(deps);

  const endedOf = (network: TonNetwork): Promise<KnownStakes['ended']> =>
    views.cached(
      { key: ['newest rounds of staking pools', network], sources: [{ collection: rounds.collection }] },
      async () => {
        const ended: Record<string, number> = {};
        for (const pool of pools[network]) {
          const part = accountKey({ chain: 'ton', network, address: pool });
          const found = await rounds.findPart(part, MAX_ROUNDS);
          ended[pool] = Math.max(0, ...found.map(({ observed }) => observed.data?.after.seqno ?? 0));
        }
        return ended;
      },
    );

  const sources = (account: TonAccount): readonly Source[] => [
    { collection: members.collection, part: accountKey(account) },
    ...transactions.sources(account.network, account.address),
    { collection: rounds.collection },
  ];

  return {
    sources,
    of: account => {
      const { network, address } = account;
      const key = ['stakes of a TON account', network, address];
      return views.cached({ key, sources: sources(account) }, async () => {
        const [found, moved, ended] = await Promise.all([
          members.findPart(accountKey(account), MAX_STAKES),
          counterparties(account),
          endedOf(network),
        ]);
        const stored = Object.fromEntries(found.map(({ subject, observed }) => [subject.pool, observed]));
        return { stored, moved, ended };
      });
    },
  };
}
