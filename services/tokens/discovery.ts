import { LRUCache } from 'lru-cache';
import { shareOf } from '../../contracts/bound';
import { atMost } from '../../contracts/engine/cache-bounds';
import { createFairSemaphore, TooManyWaiting } from '../../contracts/fair-semaphore';
import type { TonNetwork } from '../../contracts/network/network';
import { tokenVerifications, trustedTokens } from '../../projections/tokens/verifications';
import { tonJettons } from '../../projections/ton/jettons/queries';
import type { TonAccount } from '../../contracts/account/ton-account';
import type { TokenDeps } from './deps';

/** Between two times that the masters are asked about an owner. */
const ASK_MS = 60_000;
/** For how long the masters that are asked stay the same. */
const MASTERS_MS = 30_000;
const MAX_TRUSTED = 24;
const MAX_MASTERS = 40;
/** Owners about whom masters are asked at a time. */
export const MAX_ASKED_ABOUT = 20;
/** Owners about whom masters are to be asked; others are when they are read again. */
export const MAX_WAITING = 400;
const MAX_REMEMBERED = 10_000;

type Deps = Pick<TokenDeps, 'views' | 'ownedJettons' | 'unrecordedOwnedJettons' | 'clock'>;

/**
 * Resolves when the masters have been asked within the last minute, or cannot be; never rejects.
 * @param caller who reads the account (`addressKey`)
 */
export type Discover = (account: TonAccount, caller: string) => Promise<void>;

/**
 * Finds jettons that an owner has received without a notification, which no transaction of the owner names: asks the masters that
 * operators trust, and those that most owners have used lately, for the wallet of the owner. Callers take turns.
 */
export function createDiscovery({ views, ownedJettons, unrecordedOwnedJettons, clock }: Deps): Discover {
  const index = tonJettons(views);
  const perf = { now: () => clock().getTime() };
  const discoveries = new LRUCache<string, Promise<void>>({
    ...atMost(MAX_REMEMBERED),
    ttl: ASK_MS,
    ttlResolution: 0,
    perf,
  });
  const masters = new LRUCache<TonNetwork, readonly string[]>({
    max: 2,
    ttl: MASTERS_MS,
    ttlResolution: 0,
    perf,
    fetchMethod: network => mastersToAsk(network),
  });
  const semaphore = createFairSemaphore({
    maxConcurrent: MAX_ASKED_ABOUT,
    maxWaiting: MAX_WAITING,
    share: shareOf(MAX_ASKED_ABOUT),
  });

  async function mastersToAsk(network: TonNetwork): Promise<readonly string[]> {
    const [trusted, recent] = await Promise.all([
      trustedTokens(views, network),
      index.recentMasters(network),
    ]);
    const all = [...new Set([...trusted.slice(0, MAX_TRUSTED), ...recent])];
    const verifications = await tokenVerifications(views, network, all);
    return all.filter((_, i) => verifications[i] !== 'blacklist').slice(0, MAX_MASTERS);
  }

  async function ask({ network, address: owner }: TonAccount, caller: string): Promise<void> {
    const known = new Set((await index.ofOwner(network, owner)).map(({ master }) => master));
    const [first, ...rest] = ((await masters.fetch(network)) ?? []).filter(master => !known.has(master));
    if (first === undefined) return;
    const askMaster = async (master: string): Promise<void> => {
      const subject = { network, master, owner };
      const { data: wallet } = await unrecordedOwnedJettons.read(subject, { caller });
      if (wallet !== null) await ownedJettons.read(subject, { caller });
    };
    // A source that does not answer about one is not asked about the others.
    await askMaster(first);
    await Promise.allSettled(rest.map(askMaster));
  }

  return (account, caller) => {
    const key = `${account.network}/${account.address}`;
    const recent = discoveries.get(key);
    if (recent) {
      // Another caller may have read the account, whose turn comes later.
      semaphore.join(key, caller);
      return recent;
    }
    const done = semaphore
      .run({ caller, key }, by => ask(account, by))
      .catch((error: unknown) => {
        if (error instanceof TooManyWaiting && discoveries.get(key) === done) discoveries.delete(key);
      });
    discoveries.set(key, done);
    return done;
  };
}
