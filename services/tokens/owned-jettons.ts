import { LRUCache } from 'lru-cache';
import { immutable } from '../../contracts/http/immutable-response';
import { accountKey, type TonNetwork } from '../../contracts/network';
import type { Source } from '../../contracts/ports/documents';
import { tonJettons } from '../../projections/ton/jettons/queries';
import { TOKEN_VERIFICATIONS_SOURCE } from '../../projections/tokens/verifications';
import type { AnyCall } from '../http/call';
import { readUntil } from '../read-until';
import type { TonAccount } from '../ton-account';
import { watchIfPossible } from '../watch-account';
import type { TokenDeps } from './deps';
import {
  findKnownJettons,
  isShown,
  isUnread,
  refreshKnownJetton,
  type KnownJetton,
  type ShownJetton,
} from './known-jettons';

/** A jetton wallet of an owner. */
export interface OwnedJetton {
  readonly jetton: ShownJetton;
  /** Raw. */
  readonly wallet: string;
  /** Smallest units. */
  readonly balance: string;
  /** When the balance was read (RFC 3339). */
  readonly at: string;
}

/** What a list is made of: what is known of one jetton wallet. */
interface Entry {
  readonly wallet: string;
  readonly jetton: KnownJetton;
  /** When the balance was read; null when it was not, or when the owner has used the jetton since. */
  readonly balanceAt: string | null;
}

interface List<Served extends object> {
  readonly served: Served;
  readonly entries: readonly Entry[];
  readonly isComplete: boolean;
}

/** Between two looks at what is stale of one owner. */
const REFRESH_MS = 1_000;

const isMissing = ({ balanceAt, jetton }: Entry): boolean => balanceAt === null || isUnread(jetton);

/**
 * Reads the jettons of an owner, as `serve` makes an answer of them. The owner is watched. What is missing, or older than the
 * owner's last use of the jetton, is waited for; what is merely old is served, and refreshed in the background.
 * @param name part of the cache key
 */
export function ownedJettons<Served extends object>(
  deps: TokenDeps,
  name: string,
  serve: (network: TonNetwork, jettons: readonly OwnedJetton[]) => Served,
): (account: TonAccount, call: AnyCall) => Promise<Served> {
  const { views, transactions, masters, balances, documents } = deps;
  const index = tonJettons(views);
  const refreshed = new LRUCache<string, true>({ max: 10_000, ttl: REFRESH_MS });

  const sources = ({ network, address }: TonAccount): readonly Source[] => [
    ...transactions.sources(network, address),
    index.source(network, address),
    { collection: balances.collection, part: accountKey({ chain: 'ton', network, address }) },
    // All of them: a source for each of hundreds would cost more than the answer.
    { collection: masters.collection },
    { collection: documents.collection },
    TOKEN_VERIFICATIONS_SOURCE,
  ];

  async function find(account: TonAccount, watched: number | null): Promise<List<Served>> {
    const { network, address: owner } = account;
    // The account is read first, so that the list includes what the backfill has published.
    const history = await transactions.account(network, owner);
    const jettons = await index.ofOwner(network, owner);
    const addresses = jettons.map(({ master }) => master);
    const [observed, known] = await Promise.all([
      balances.findMany(jettons.map(({ wallet }) => ({ network, owner, wallet }))),
      findKnownJettons(deps, network, addresses),
    ]);
    const owned: OwnedJetton[] = [];
    const entries = jettons.map(({ wallet, master, seqno }, place): Entry => {
      const balance = observed[place] ?? null;
      const jetton = known[place]!;
      if (isShown(jetton) && balance?.data?.master === master)
        owned.push({ wallet, jetton, balance: balance.data.balance, at: balance.at });
      const isOutdated = seqno !== null && (balance?.height ?? -1) < seqno;
      return { wallet, jetton, balanceAt: isOutdated ? null : (balance?.at ?? null) };
    });
    const isBackfilled = watched === null || (history?.backfilled ?? 0) >= watched;
    return {
      served: immutable(serve(network, owned)),
      entries,
      isComplete: isBackfilled && !entries.some(isMissing),
    };
  }

  /** Requests what entries lack, and what is stale of them. */
  const refresh = async (
    { network, address: owner }: TonAccount,
    entries: readonly Entry[],
  ): Promise<void> => {
    await Promise.all(
      entries.map(async ({ wallet, jetton, balanceAt }) => {
        if (balanceAt === null || balances.isStale(balanceAt))
          await balances.request({ network, owner, wallet });
        await refreshKnownJetton(deps, network, jetton);
      }),
    );
  };

  return async (account, call) => {
    const { network, address } = account;
    const watched = await watchIfPossible(deps, account, call);
    const query = { key: ['TON jettons', name, network, address, watched], sources: sources(account) };
    let last: List<Served> | null = null;
    const { served, entries, isComplete } = await readUntil({
      read: async () =>
        (last = await views.cached(
          query,
          () => find(account, watched),
          list => list.isComplete,
        )),
      isDone: list => list.isComplete,
      waitForChange: timeoutMs => views.waitForChange(query.sources, timeoutMs),
      request: () => refresh(account, last?.entries.filter(isMissing) ?? []),
      waitMs: deps.waitMs,
      waitLimit: deps.waitLimit,
      signal: call.signal,
    });
    const key = `${network}/${address}`;
    if (isComplete && !refreshed.has(key)) {
      refreshed.set(key, true);
      await refresh(account, entries);
    }
    return served;
  };
}
