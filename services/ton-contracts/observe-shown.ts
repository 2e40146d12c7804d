import { LRUCache } from 'lru-cache';
import { atMost } from '../../contracts/engine/cache-bounds';
import type { TonContractObserved, TonContractSubject } from '../../contracts/chain/ton-contract';
import { parseTonAddress } from '../../contracts/account/address';
import { accountKey, type TonNetwork } from '../../contracts/network/network';
import type { ObservedReader } from '../../contracts/observation/observation';
import type { Views } from '../../projections/views';

/** Requests the contracts of addresses (friendly) that a wallet is shown, and asks for next. Never rejects. */
export type ObserveShown = (network: TonNetwork, addresses: Iterable<string>) => Promise<void>;

interface ShownDeps {
  readonly views: Pick<Views, 'getMany'>;
  readonly contracts: Pick<ObservedReader<TonContractSubject, TonContractObserved>, 'source' | 'request'>;
}

const MAX_KNOWN = 100_000;
/** What is stored may be removed. */
const KNOWN_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Requests within a minute of one process: pages that are turned quickly fill no queue. */
const MAX_REQUESTED = 1_000;

/**
 * A wallet asks for the contract of each row of a page of history, one after the other. Requested together while the page is
 * on its way, they are read concurrently. One that is stored already costs nothing.
 */
export function createObserveShown({ views, contracts }: ShownDeps): ObserveShown {
  const known = new LRUCache<string, true>({ ...atMost(MAX_KNOWN), ttl: KNOWN_MS });
  const requested = new LRUCache<string, true>({ max: MAX_REQUESTED, ttl: MINUTE_MS });

  async function observe(network: TonNetwork, addresses: Iterable<string>): Promise<void> {
    const subjects = new Map<string, TonContractSubject>();
    for (const text of addresses) {
      const parsed = parseTonAddress(text);
      if (!parsed) continue;
      const key = accountKey({ chain: 'ton', network, address: parsed.raw });
      if (!known.has(key) && !requested.has(key)) subjects.set(key, { network, address: parsed.raw });
    }
    const [first] = subjects.values();
    if (!first) return;
    const { collection } = contracts.source(first);
    for (const key of (await views.getMany(collection, [...subjects.keys()])).keys()) {
      known.set(key, true);
      subjects.delete(key);
    }
    requested.purgeStale();
    for (const [key, subject] of subjects) {
      if (requested.size >= MAX_REQUESTED) return;
      requested.set(key, true);
      await contracts.request(subject);
    }
  }

  return (network, addresses) => observe(network, addresses).catch(() => undefined);
}
