import { accountKey, type TonNetwork } from '../../../contracts/network/network';
import type { Source } from '../../../contracts/ports/documents';
import type { Views } from '../../views';
import { knownSince } from '../reached';
import {
  STAKE_TRANSACTIONS,
  STAKES_REACHED,
  type StakesReachedDocument,
  type StakeTransactionDocument,
} from './projection';
import type { StakeAnswer, StakeRequest } from './stake-messages';

/** A transaction of a member with a pool. */
export interface StakeTransaction {
  /** Logical time. */
  readonly lt: string;
  /** Unix seconds. */
  readonly time: number;
  readonly requests: readonly StakeRequest[];
  readonly answer: StakeAnswer | null;
}

export interface TonStakes {
  /** Those of a member with a pool, oldest first. */
  ofMember(network: TonNetwork, member: string, pool: string): Promise<readonly StakeTransaction[]>;
  /** How much of an account is known; null before its first record. */
  account(network: TonNetwork, address: string): Promise<KnownStakes | null>;
  sources(network: TonNetwork, address: string): readonly Source[];
}

export interface KnownStakes {
  /** Logical time of the newest transaction that is folded; 0 for none. */
  readonly newest: bigint;
  /** As `knownSince` of what is reached. */
  knownSince(watch: number | null): bigint | null;
}

/** Documents that are read at a time. */
const PAGE = 500;

export function tonStakes(views: Pick<Views, 'get' | 'scan'>): TonStakes {
  const key = (network: TonNetwork, address: string): string =>
    accountKey({ chain: 'ton', network, address });
  return {
    async ofMember(network, member, pool) {
      const account = key(network, member);
      const found: StakeTransaction[] = [];
      // `0` is the character after `/`.
      const filter = { _id: { gt: `${account}/`, lt: `${account}0` } };
      const pages = views.scan<StakeTransactionDocument>(STAKE_TRANSACTIONS.name, { filter, limit: PAGE });
      for await (const page of pages)
        for (const { lt, time, requests, answer } of page) {
          const own = {
            requests: requests.filter(request => request.pool === pool),
            answer: answer?.pool === pool ? answer : null,
          };
          if (own.requests.length > 0 || own.answer) found.push({ lt, time, ...own });
        }
      return found;
    },
    async account(network, address) {
      const found = await views.get<StakesReachedDocument>(STAKES_REACHED.name, key(network, address));
      if (!found) return null;
      const { newest, hash: _, ...reached } = found;
      return { newest: BigInt(newest ?? 0), knownSince: watch => knownSince(reached, watch) };
    },
    sources: (network, address) =>
      [STAKE_TRANSACTIONS, STAKES_REACHED].map(({ name }) => ({
        collection: name,
        part: key(network, address),
      })),
  };
}
