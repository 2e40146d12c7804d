import { LRUCache } from 'lru-cache';
import type { JettonBalanceObserved } from '../../contracts/chain/ton-token-observations';
import { immutable } from '../../contracts/http/immutable-response';
import type { Observed } from '../../contracts/observation';
import { accountKey, type TonNetwork } from '../../contracts/network';
import type { Source } from '../../contracts/ports/documents';
import { tonJettons, type TonJetton } from '../../projections/ton/jettons/queries';
import { TOKEN_VERIFICATIONS_SOURCE } from '../../projections/tokens/verifications';
import type { AnyCall } from '../http/call';
import { readUntil } from '../read-until';
import type { TonAccount } from '../ton-account';
import { watchIfPossible } from '../watch-account';
import type { TokenDeps } from './deps';
import type { Discover } from './discovery';
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

/** What is known of one jetton wallet. */
interface Entry {
  readonly wallet: string;
  readonly jetton: KnownJetton;
  readonly balance: Observed<JettonBalanceObserved> | null;
  /** The owner has used the jetton since the balance was read. */
  readonly isOutdated: boolean;
}

interface List<Served extends object> {
  readonly served: Served;
  /** Nothing of it was never read, or is outdated. */
  readonly isComplete: boolean;
  /** Instants (RFC 3339) of the oldest observations; null without any. */
  readonly oldest: {
    readonly balance: string | null;
    readonly master: string | null;
    readonly document: string | null;
  };
}

/** Of jettons that no transaction of an owner names. */
const MAX_FOUND = 1_000;

/** Between two looks at what is stale of one owner. */
const REFRESH_MS = 1_000;

const isMissing = ({ balance, isOutdated, jetton }: Entry): boolean =>
  balance === null || isOutdated || isUnread(jetton);

const oldestOf = (instants: readonly (string | null)[]): string | null =>
  instants.reduce((oldest, at) => (at !== null && (oldest === null || at < oldest) ? at : oldest), null);

/**
 * Reads the jettons of an owner, as `serve` makes an answer of them. The owner is watched. What is missing, or older than the
 * owner's last use of the jetton, is waited for; what is merely old is served, and refreshed in the background.
 *
 * What changes seldom is cached by itself: after a change of a balance, only the balances are read again.
 * @param name part of the cache key
 */
export function ownedJettons<Served extends object>(
  deps: TokenDeps,
  discover: Discover,
  name: string,
  serve: (network: TonNetwork, jettons: readonly OwnedJetton[]) => Served,
): (account: TonAccount, call: AnyCall) => Promise<Served> {
  const { views, transactions, masters, balances, documents, ownedJettons: found } = deps;
  const index = tonJettons(views);
  const refreshed = new LRUCache<string, true>({ max: 10_000, ttl: REFRESH_MS });

  /** All of the jettons: a source for each of hundreds would cost more than the answer. */
  const jettonSources: readonly Source[] = [
    { collection: masters.collection },
    { collection: documents.collection },
    TOKEN_VERIFICATIONS_SOURCE,
  ];

  const part = ({ network, address }: TonAccount): string => accountKey({ chain: 'ton', network, address });

  /** Of which jettons there are. */
  const listSources = (account: TonAccount): readonly Source[] => [
    index.source(account.network, account.address),
    { collection: found.collection, part: part(account) },
  ];

  const sources = (account: TonAccount): readonly Source[] => [
    ...transactions.sources(account.network, account.address),
    ...listSources(account),
    { collection: balances.collection, part: part(account) },
    ...jettonSources,
  ];

  /** Those that transactions of the owner name, and those that were found without. */
  async function list(account: TonAccount): Promise<readonly TonJetton[]> {
    const [named, more] = await Promise.all([
      index.ofOwner(account.network, account.address),
      found.findPart(part(account), MAX_FOUND),
    ]);
    const wallets = new Set(named.map(({ wallet }) => wallet));
    const unnamed = more.flatMap(({ subject: { master }, observed: { data: wallet } }) =>
      wallet === null || wallets.has(wallet) ? [] : [{ wallet, master, seqno: null }],
    );
    return [...named, ...unnamed].sort((a, b) => (a.wallet < b.wallet ? -1 : 1));
  }

  async function entriesOf(account: TonAccount): Promise<Entry[]> {
    const { network, address: owner } = account;
    const sources = listSources(account);
    const jettons = await views.cached({ key: ['jettons of a TON account', network, owner], sources }, () =>
      list(account),
    );
    const known = await views.cached(
      {
        key: ['known jettons of a TON account', network, owner],
        sources: [...sources, ...jettonSources],
      },
      () =>
        findKnownJettons(
          deps,
          network,
          jettons.map(({ master }) => master),
        ),
    );
    const observed = await balances.findMany(jettons.map(({ wallet }) => ({ network, owner, wallet })));
    return jettons.flatMap(({ wallet, master, seqno }, place) => {
      const balance = observed[place] ?? null;
      const jetton = known[place];
      // Read a moment later, of a list that has changed since.
      if (jetton?.master !== master) return [];
      return [{ wallet, jetton, balance, isOutdated: seqno !== null && (balance?.height ?? -1) < seqno }];
    });
  }

  async function find(account: TonAccount, watched: number | null): Promise<List<Served>> {
    const { network, address: owner } = account;
    // The account is read first, so that the list includes what the backfill has published.
    const history = await transactions.account(network, owner);
    const entries = await entriesOf(account);
    const owned = entries.flatMap(({ wallet, jetton, balance }) =>
      isShown(jetton) && balance?.data?.master === jetton.master
        ? [{ wallet, jetton, balance: balance.data.balance, at: balance.at }]
        : [],
    );
    const isBackfilled = watched === null || (history?.backfilled ?? 0) >= watched;
    return {
      served: immutable(serve(network, owned)),
      isComplete: isBackfilled && !entries.some(isMissing),
      oldest: {
        balance: oldestOf(entries.map(({ balance }) => balance?.at ?? null)),
        master: oldestOf(entries.map(({ jetton }) => jetton.masterAt)),
        document: oldestOf(entries.map(({ jetton }) => jetton.documentAt)),
      },
    };
  }

  const isStale = ({ oldest }: List<Served>): boolean =>
    (oldest.balance !== null && balances.isStale(oldest.balance)) ||
    (oldest.master !== null && masters.isStale(oldest.master)) ||
    (oldest.document !== null && documents.isStale(oldest.document));

  /** Requests what the owner's jettons lack, and what is stale of them. */
  const refresh = async (account: TonAccount): Promise<void> => {
    const { network, address: owner } = account;
    await Promise.all(
      (await entriesOf(account)).map(async ({ wallet, jetton, balance, isOutdated }) => {
        if (!balance || isOutdated || balances.isStale(balance.at))
          await balances.request({ network, owner, wallet });
        await refreshKnownJetton(deps, network, jetton);
      }),
    );
  };

  return async (account, call) => {
    const { network, address } = account;
    const watched = await watchIfPossible(deps, account, call);
    const query = { key: ['TON jettons', name, network, address, watched], sources: sources(account) };
    const discovering = discover(account);
    let isDiscovered = false;
    void discovering.then(() => (isDiscovered = true));
    /** Null until the first look. Who is known to have jettons does not wait for more to be found. */
    let isKnown: boolean | null = null;
    const list = await readUntil({
      read: () =>
        views.cached(
          query,
          () => find(account, watched),
          ({ isComplete }) => isComplete,
        ),
      isDone({ isComplete, oldest }) {
        isKnown ??= isComplete && oldest.balance !== null;
        return isComplete && (isKnown || isDiscovered);
      },
      waitForChange(timeoutMs) {
        const change = views.waitForChange(query.sources, timeoutMs);
        return isDiscovered ? change : Promise.race([change, discovering]);
      },
      request: () => refresh(account),
      waitMs: deps.waitMs,
      waitLimit: deps.waitLimit,
      signal: call.signal,
    });
    const key = `${network}/${address}`;
    if (list.isComplete && isStale(list) && !refreshed.has(key)) {
      refreshed.set(key, true);
      await refresh(account);
    }
    return list.served;
  };
}
