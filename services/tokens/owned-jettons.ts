import { LRUCache } from 'lru-cache';
import type { TokenAttributes } from '../../contracts/chain/ton-token-observations';
import type { TokenVerification } from '../../contracts/events/token';
import { immutable } from '../../contracts/http/immutable-response';
import type { TonNetwork } from '../../contracts/network';
import type { Source } from '../../contracts/ports/documents';
import { accountKey } from '../../contracts/network';
import { tonJettons } from '../../projections/ton/jettons/queries';
import { TOKEN_VERIFICATIONS_SOURCE, tokenVerifications } from '../../projections/tokens/verifications';
import type { AnyCall } from '../http/call';
import { readUntil } from '../read-until';
import type { TonAccount } from '../ton-account';
import { watchIfPossible } from '../watch-account';
import type { TokenDeps } from './deps';
import { tokenAttributesOf } from '../token-attributes';

/** A jetton wallet of an owner with what is known of it. Addresses are raw. */
export interface OwnedJetton {
  readonly wallet: string;
  readonly master: string;
  /** Smallest units. */
  readonly balance: string;
  /** When the balance was read (RFC 3339). */
  readonly at: string;
  readonly attributes: TokenAttributes & { readonly decimals: number };
  /** What operators say of it. */
  readonly verification: TokenVerification;
}

/** What a list is made of: the observations of one jetton wallet, by the instants (RFC 3339) of their reads. */
interface Entry {
  readonly wallet: string;
  readonly master: string;
  readonly uri: string | null;
  readonly balanceAt: string | null;
  readonly masterAt: string | null;
  readonly documentAt: string | null;
  /** Its observations, or one of the balance that is as new as the owner's last use of it, are missing. */
  readonly isMissing: boolean;
}

interface List<Served extends object> {
  readonly served: Served;
  readonly entries: readonly Entry[];
  readonly isComplete: boolean;
}

/** Between two looks at what is stale of one owner. */
const REFRESH_MS = 1_000;

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
  const looked = new LRUCache<string, true>({ max: 10_000, ttl: REFRESH_MS });

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
    const known = await transactions.account(network, owner);
    const jettons = await index.ofOwner(network, owner);
    const [observedBalances, observedMasters, verifications] = await Promise.all([
      balances.findMany(jettons.map(({ wallet }) => ({ network, owner, wallet }))),
      masters.findMany(jettons.map(({ master }) => ({ network, address: master }))),
      tokenVerifications(
        views,
        network,
        jettons.map(({ master }) => master),
      ),
    ]);
    const uris = observedMasters.map(observed => observed?.data?.content.uri ?? null);
    const read = await documents.findMany(uris.filter(uri => uri !== null));
    const owned: OwnedJetton[] = [];
    let nextDocument = 0;
    const entries = jettons.map(({ wallet, master, seqno }, at): Entry => {
      const balance = observedBalances[at] ?? null;
      const observed = observedMasters[at] ?? null;
      const uri = uris[at]!;
      const document = uri === null ? null : (read[nextDocument++] ?? null);
      const attributes = observed?.data
        ? tokenAttributesOf(observed.data.content, document?.data ?? null)
        : null;
      const decimals = attributes?.decimals ?? null;
      if (attributes && decimals !== null && balance?.data?.master === master)
        owned.push({
          wallet,
          master,
          balance: balance.data.balance,
          at: balance.at,
          attributes: { ...attributes, decimals },
          verification: verifications[at]!,
        });
      const isOld = seqno !== null && (balance?.height ?? -1) < seqno;
      const lacksDocument = uri !== null && document === null;
      return {
        wallet,
        master,
        uri,
        balanceAt: balance?.at ?? null,
        masterAt: observed?.at ?? null,
        documentAt: document?.at ?? null,
        isMissing: isOld || balance === null || observed === null || lacksDocument,
      };
    });
    const isBackfilled = watched === null || (known?.backfilled ?? 0) >= watched;
    return {
      served: immutable(serve(network, owned)),
      entries,
      isComplete: isBackfilled && !entries.some(({ isMissing }) => isMissing),
    };
  }

  /** Requests what an entry lacks, and what is stale of it. */
  const refresh = async (
    { network, address: owner }: TonAccount,
    { wallet, master, uri, ...entry }: Entry,
  ): Promise<void> => {
    const isStale = (reader: { isStale(at: string): boolean }, at: string | null) =>
      at === null || reader.isStale(at);
    if (entry.isMissing || isStale(balances, entry.balanceAt))
      await balances.request({ network, owner, wallet });
    if (isStale(masters, entry.masterAt)) await masters.request({ network, address: master });
    if (uri !== null && isStale(documents, entry.documentAt)) await documents.request(uri);
  };

  const refreshAll = (account: TonAccount, entries: readonly Entry[]): Promise<unknown> =>
    Promise.all(entries.map(entry => refresh(account, entry)));

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
      request: async () =>
        void (await refreshAll(account, last?.entries.filter(entry => entry.isMissing) ?? [])),
      waitMs: deps.waitMs,
      waitLimit: deps.waitLimit,
      signal: call.signal,
    });
    const key = `${network}/${address}`;
    if (isComplete && !looked.has(key)) {
      looked.set(key, true);
      await refreshAll(account, entries);
    }
    return served;
  };
}
