import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { atMost } from '../contracts/engine/cache-bounds';
import { immutable } from '../contracts/http/immutable-response';
import type { ObservedReader } from '../contracts/observation/reader';
import type { Source } from '../contracts/ports/documents';
import type { Views } from '../projections/views';
import type { AnyCall } from './http/call';
import { listReader, type ListWait } from './reads/read-list';
import type { TonAccount } from '../contracts/account/ton-account';
import { watchIfPossible, type Watch } from './watch-account';

export interface OwnedTokensDeps extends ListWait {
  readonly views: Pick<Views, 'cached' | 'waitForChange'>;
  /** Makes the indexer follow an account and backfill its history. */
  readonly watch: Watch;
  readonly logger: Logger;
  /** Milliseconds that a read waits for what it can be served without; default 2,500. */
  readonly waitMs?: number;
}

/** What is served of the tokens of an owner. */
export interface OwnedTokens<Served extends object> {
  readonly served: Served;
  readonly isEmpty: boolean;
  /** Whether it is known of each that may belong to the owner whether it does. */
  readonly isWhole: boolean;
  /** Nothing of it was never read, or is older than its last use by the owner. */
  readonly isComplete: boolean;
  /** Whether an observation that it was made of is stale by now. */
  isStale(): boolean;
}

export interface OwnedTokensQuery<Served extends object> {
  readonly account: TonAccount;
  /** The name of the query, and what else than the account and documents the result depends on. */
  readonly key: readonly unknown[];
  /** Everything that is read. */
  readonly sources: readonly Source[];
  /** The logical time from which on the owner's transactions are in the documents; 0: all of them; null: none yet. */
  knownSince(watch: number): Promise<bigint | null>;
  /** Makes the answer from documents. */
  find(): Promise<OwnedTokens<Served>>;
  /** Requests what is missing, and what is stale. */
  refresh(): Promise<void>;
  /** Looks for tokens that are not known, and never rejects. An account that is known to have some does not wait for it. */
  discover?(): Promise<void>;
}

type Read = <Served extends object>(query: OwnedTokensQuery<Served>, call: AnyCall) => Promise<Served>;

const SETTLE_MS = 2_500;
/** Between two looks at what is stale of one answer. */
const REFRESH_MS = 1_000;

/**
 * Reads the tokens of owners, who are watched, from documents alone; an answer is cached until one of these changes. There is none
 * while the owner's history or a token is missing. For what they lack, and for what is older than its last use by the owner, a read
 * waits for a while; what is merely old is served, and refreshed in the background.
 */
export function createOwnedTokens(deps: OwnedTokensDeps): Read {
  const { views } = deps;
  const refreshed = new LRUCache<string, true>({ ...atMost(10_000), ttl: REFRESH_MS });

  return async (query, call) => {
    const { account } = query;
    const { network, address } = account;
    const watched = await watchIfPossible(deps, account, call);
    const key = [...query.key, network, address];
    const { sources } = query;

    const find = async () => {
      // Read first, so that what is found includes what the backfill has published.
      const isBackfilled = watched === null || (await query.knownSince(watched)) === 0n;
      const found = await query.find();
      const isWhole = isBackfilled && found.isWhole;
      return {
        ...found,
        served: immutable(found.served),
        isWhole,
        isComplete: isWhole && found.isComplete,
      };
    };

    const discovering = query.discover?.();
    let isDiscovered = discovering === undefined;
    void discovering?.then(() => (isDiscovered = true));
    /** Null until the first look. */
    let isKnown: boolean | null = null;
    const { found } = await listReader(deps, call)('What the account owns', {
      async read() {
        // What is discovered meanwhile may not be in what is found.
        const isAfterDiscovery = isDiscovered;
        const found = await views.cached(
          { key: [...key, watched], sources },
          find,
          ({ isComplete }) => isComplete,
        );
        return { found, isAfterDiscovery };
      },
      isWhole({ found, isAfterDiscovery }) {
        isKnown ??= found.isComplete && !found.isEmpty;
        return found.isWhole && (isKnown || isAfterDiscovery);
      },
      isSettled: ({ found }) => found.isComplete,
      settleMs: deps.waitMs ?? SETTLE_MS,
      waitForChange(timeoutMs, signal) {
        const change = views.waitForChange(sources, timeoutMs, signal);
        return isDiscovered ? change : Promise.race([change, discovering!]);
      },
      request: query.refresh,
    });
    const name = JSON.stringify(key);
    if (found.isComplete && found.isStale() && !refreshed.has(name)) {
      refreshed.set(name, true);
      await query.refresh();
    }
    return found.served;
  };
}

/** Whether one of many observations is stale, by the oldest instant (RFC 3339) of each reader's. */
export function stalenessOf(
  observed: readonly (readonly [
    reader: Pick<ObservedReader<never, unknown>, 'isStale'>,
    instants: readonly (string | null)[],
  ])[],
): () => boolean {
  const oldest = observed.map(([reader, instants]) => [reader, oldestOf(instants)] as const);
  return () => oldest.some(([reader, at]) => at !== null && reader.isStale(at));
}

const oldestOf = (instants: readonly (string | null)[]): string | null =>
  instants.reduce((oldest, at) => (at !== null && (oldest === null || at < oldest) ? at : oldest), null);
