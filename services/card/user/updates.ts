import { setImmediate } from 'node:timers/promises';
import type { CardUpdate } from '../../../contracts/http/card/updates';
import type { ChangedParts } from '../../../contracts/ports/wake-ups';
import { CARD_TOKENS } from '../../../projections/card/tokens';
import { CARD_USERS } from '../../../projections/card/users';
import type { Views } from '../../../projections/views';

/** Documents of card holders whose ids begin with that of the user, and what a change of one is called on the stream. */
export interface CardUpdateSource {
  readonly collection: string;
  readonly update: CardUpdate;
}

/** One card holder that is connected, by one of its tokens. */
export interface Watcher {
  readonly userId: string;
  /** Of the token. */
  readonly digest: string;
  /** Must not throw. */
  onUpdate(update: CardUpdate): void;
  /** The token may have been revoked or expired. Must not reject. */
  onToken(): Promise<void>;
  /** Newer connections of the holder have all places. */
  onReplaced(): void;
}

/** Connections of one card holder: one for each of its devices, and those that have not noticed yet that they are broken. */
export const MAX_STREAMS_OF_HOLDER = 16;
/** Tokens that are checked before anything else is done in between. */
const CHECKED_AT_ONCE = 50;

/** Revocations are notified of, but a notification may be lost; expiries are not. */
const CHECK_TOKENS_MS = 60_000;

/** Notifies watchers of this process of changes by any process: one subscription for each collection, while somebody watches. */
export function createCardUpdates(
  views: Pick<Views, 'subscribe'>,
  sources: readonly CardUpdateSource[],
): { watch(watcher: Watcher): () => void } {
  const byUser = new Map<string, Set<Watcher>>();
  const byToken = new Map<string, Set<Watcher>>();
  let unsubscribe: (() => void) | null = null;

  const named = (groups: Map<string, Set<Watcher>>, parts: ChangedParts): Watcher[] =>
    parts === null
      ? [...groups.values()].flatMap(watchers => [...watchers])
      : [...parts].flatMap(part => [...(groups.get(part) ?? [])]);
  const update =
    (what: CardUpdate) =>
    (parts: ChangedParts): void => {
      for (const watcher of named(byUser, parts)) watcher.onUpdate(what);
    };
  const checkTokens =
    (groups: Map<string, Set<Watcher>>) =>
    (parts: ChangedParts): void =>
      void checkInTurn(named(groups, parts));

  const subscribe = (): (() => void) => {
    const ends = [
      views.subscribe(CARD_TOKENS.name, checkTokens(byToken)),
      // All tokens of a user may be revoked at once.
      views.subscribe(CARD_USERS.name, checkTokens(byUser)),
      ...sources.map(source => views.subscribe(source.collection, update(source.update))),
    ];
    const checks = setInterval(() => checkTokens(byToken)(null), CHECK_TOKENS_MS).unref();
    return () => {
      clearInterval(checks);
      for (const end of ends) end();
    };
  };

  return {
    watch(watcher) {
      unsubscribe ??= subscribe();
      const own = [...(byUser.get(watcher.userId) ?? [])];
      if (own.length >= MAX_STREAMS_OF_HOLDER) own[0]!.onReplaced();
      join(byUser, watcher.userId, watcher);
      join(byToken, watcher.digest, watcher);
      return () => {
        leave(byUser, watcher.userId, watcher);
        leave(byToken, watcher.digest, watcher);
        if (byUser.size > 0) return;
        unsubscribe?.();
        unsubscribe = null;
      };
    },
  };
}

async function checkInTurn(watchers: readonly Watcher[]): Promise<void> {
  for (let at = 0; at < watchers.length; at += CHECKED_AT_ONCE) {
    await Promise.all(watchers.slice(at, at + CHECKED_AT_ONCE).map(watcher => watcher.onToken()));
    await setImmediate();
  }
}

function join(groups: Map<string, Set<Watcher>>, name: string, watcher: Watcher): void {
  const group = groups.get(name) ?? new Set();
  groups.set(name, group.add(watcher));
}

function leave(groups: Map<string, Set<Watcher>>, name: string, watcher: Watcher): void {
  const group = groups.get(name);
  group?.delete(watcher);
  if (group?.size === 0) groups.delete(name);
}
