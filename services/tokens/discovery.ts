import { LRUCache } from 'lru-cache';
import { atMost } from '../../contracts/engine/cache-bounds';
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
/** About whom masters are asked at a time; others are when they are read again. */
const MAX_ASKED_ABOUT = 20;
const MAX_REMEMBERED = 10_000;

type Deps = Pick<TokenDeps, 'views' | 'ownedJettons' | 'unrecordedOwnedJettons' | 'clock'>;

/** Resolves when the masters have been asked within the last minute, or cannot be; never rejects. */
export type Discover = (account: TonAccount) => Promise<void>;

/**
 * Finds jettons that an owner has received without a notification, which no transaction of the owner names: asks the masters that
 * operators trust, and those that most owners have used lately, for the wallet of the owner.
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
  let running = 0;

  async function mastersToAsk(network: TonNetwork): Promise<readonly string[]> {
    const [trusted, recent] = await Promise.all([
      trustedTokens(views, network),
      index.recentMasters(network),
    ]);
    const all = [...new Set([...trusted.slice(0, MAX_TRUSTED), ...recent])];
    const verifications = await tokenVerifications(views, network, all);
    return all.filter((_, i) => verifications[i] !== 'blacklist').slice(0, MAX_MASTERS);
  }

  async function ask({ network, address: owner }: TonAccount): Promise<void> {
    const known = new Set((await index.ofOwner(network, owner)).map(({ master }) => master));
    const [first, ...rest] = ((await masters.fetch(network)) ?? []).filter(master => !known.has(master));
    if (first === undefined) return;
    const askMaster = async (master: string): Promise<void> => {
      const subject = { network, master, owner };
      const { data: wallet } = await unrecordedOwnedJettons.read(subject);
      if (wallet !== null) await ownedJettons.read(subject);
    };
    // A source that does not answer about one is not asked about the others.
    await askMaster(first);
    await Promise.allSettled(rest.map(askMaster));
  }

  return account => {
    const key = `${account.network}/${account.address}`;
    const recent = discoveries.get(key);
    if (recent) return recent;
    if (running >= MAX_ASKED_ABOUT) return Promise.resolve();
    running++;
    const done = ask(account)
      .catch(() => undefined)
      .finally(() => void running--);
    discoveries.set(key, done);
    return done;
  };
}
