import type { ExportedJWKSCache, JWTVerifyGetKey } from 'jose' with { 'resolution-mode': 'import' };

/** Keys as an issuer answered them, and when, in milliseconds since 1970. */
export type FetchedKeys = ExportedJWKSCache;

/** Where the keys that were fetched last outlive the process. */
export interface StoredKeys {
  /** Null when there are none, or they cannot be read. */
  read(): Promise<FetchedKeys | null>;
  write(keys: FetchedKeys): Promise<void>;
}

/** A failed fetch. */
export interface FailedFetch {
  readonly error: unknown;
  /** Of the keys that are used meanwhile, in milliseconds; null when there are none, so that no token can be verified. */
  readonly keysAge: number | null;
}

export interface FetchedKeysOptions {
  readonly url: string;
  /** How long keys are used while no newer ones can be fetched, in milliseconds from when they were. */
  readonly maxStaleMs: number;
  readonly stored?: StoredKeys;
  readonly onFetched?: (outcome: FailedFetch | null) => void;
}

interface FetchedKeySet {
  readonly keyFor: JWTVerifyGetKey;
  /** A new object after each fetch; null when the next use will fetch. */
  readonly version: () => object | null;
}

/** How long keys are used without asking for newer ones. */
const FRESH_MS = 600_000;
/** Between two fetches, whatever tokens arrive. */
const COOLDOWN_MS = 30_000;
/** The same while there are no keys, as when the issuer starts after this program. */
const NO_KEYS_COOLDOWN_MS = 1_000;

/** A clock that was set back has not made the keys younger, nor put off the next fetch. */
const sinceMs = (time: number): number => Math.abs(Date.now() - time);

/**
 * The keys at an https URL: fetched when they are needed and older than ten minutes, or when a token names one that is not among
 * them. While they cannot be fetched the last ones are used, for a limited time; only the first token then waits for a fetch.
 */
export async function fetchedKeys({
  url,
  maxStaleMs,
  stored,
  onFetched = () => undefined,
}: FetchedKeysOptions): Promise<FetchedKeySet> {
  const { createRemoteJWKSet, errors, jwksCache } = await import('jose');
  const keys: Partial<FetchedKeys> = (await stored?.read().catch(() => null)) ?? {};
  // When to fetch is decided here: jose would do so for each token while the server is down.
  const set = createRemoteJWKSet(new URL(url), {
    [jwksCache]: keys as FetchedKeys,
    cacheMaxAge: Infinity,
    cooldownDuration: Infinity,
  });
  let triedAt = keys.uat ?? -Infinity;
  let failure: { readonly error: unknown } | null = null;
  let fetching: Promise<void> | null = null;

  const age = (): number => sinceMs(keys.uat ?? -Infinity);
  const isFresh = (): boolean => age() < FRESH_MS;
  const areUsable = (): boolean => isFresh() || (keys.jwks !== undefined && age() < maxStaleMs);
  const mayFetch = (): boolean =>
    fetching !== null || sinceMs(triedAt) >= (areUsable() ? COOLDOWN_MS : NO_KEYS_COOLDOWN_MS);

  /** Never rejects. */
  const refresh = (): Promise<void> => {
    if (!mayFetch()) return Promise.resolve();
    return (fetching ??= (async () => {
      triedAt = Date.now();
      try {
        await set.reload();
        failure = null;
        onFetched(null);
        await stored?.write(keys as FetchedKeys).catch(() => undefined);
      } catch (error) {
        failure = { error };
        onFetched({ error, keysAge: areUsable() ? age() : null });
      } finally {
        fetching = null;
      }
    })());
  };

  const assertUsable = (): void => {
    if (!areUsable()) throw failure?.error ?? new Error('the keys of the issuer are not known');
  };

  const keyFor: JWTVerifyGetKey = async (header, token) => {
    if (!isFresh()) {
      const refreshed = refresh();
      // After a failure those that can be used do not wait for the next one.
      if (!failure || !areUsable()) await refreshed;
      assertUsable();
    }
    try {
      return await set(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await refresh();
      assertUsable();
      // The key may be one that could not be fetched.
      if (failure) throw failure.error;
      return set(header, token);
    }
  };

  return {
    keyFor,
    version: () => (areUsable() && (isFresh() || !mayFetch()) ? keys.jwks! : null),
  };
}
