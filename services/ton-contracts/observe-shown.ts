import { LRUCache } from 'lru-cache';
import { hasShareLeft } from '../../contracts/bound';
import { atMost } from '../../contracts/engine/cache-bounds';
import type { TonContractObserved, TonContractSubject } from '../../contracts/chain/ton-contract';
import { parseTonAddress } from '../../contracts/account/address';
import { addressKey } from '../../contracts/http/address-key';
import { STORED_CONTRACTS } from '../../contracts/http/ton/contracts';
import { accountKey, type TonNetwork } from '../../contracts/network/network';
import type { ObservedReader } from '../../contracts/observation/reader';
import type { RateLimits } from '../../contracts/ports/rate-limits';
import type { Views } from '../../projections/views';
import type { AnyCall } from '../http/call';
import { isWithinQuota } from '../http/limits';

/**
 * Requests the contracts of addresses (friendly) that a reader is shown, whose wallet asks for them next. Beyond the reader's share
 * it requests none: they are read when they are asked for. Never rejects.
 */
export type ObserveShown = (
  network: TonNetwork,
  addresses: Iterable<string>,
  reader: Pick<AnyCall, 'ip'>,
) => Promise<void>;

interface ShownDeps {
  readonly views: Pick<Views, 'getMany'>;
  readonly contracts: Pick<ObservedReader<TonContractSubject, TonContractObserved>, 'source' | 'request'>;
  /** Opened at the first use. */
  readonly limits: () => Promise<RateLimits>;
}

const MAX_KNOWN = 100_000;
/** What is stored may be removed. */
const KNOWN_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Requests within a minute of one process: pages that are turned quickly fill no queue. */
export const MAX_REQUESTED = 1_000;

/**
 * A wallet asks for the contract of each row of a page of history, one after the other. Requested together while the page is
 * on its way, they are read concurrently. One that is stored already costs nothing.
 */
export function createObserveShown({ views, contracts, limits }: ShownDeps): ObserveShown {
  const known = new LRUCache<string, true>({ ...atMost(MAX_KNOWN), ttl: KNOWN_MS });
  /** The caller for whom each was requested. */
  const requested = new LRUCache<string, string>({ max: MAX_REQUESTED, ttl: MINUTE_MS });

  function isRoomFor(caller: string): boolean {
    requested.purgeStale();
    const own = [...requested.values()].filter(each => each === caller).length;
    return hasShareLeft(MAX_REQUESTED, requested.size, own);
  }

  async function observe(
    network: TonNetwork,
    addresses: Iterable<string>,
    { ip }: Pick<AnyCall, 'ip'>,
  ): Promise<void> {
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
    const caller = addressKey(ip);
    const quotas = await limits();
    for (const [key, subject] of subjects) {
      if (requested.has(key)) continue;
      if (!isRoomFor(caller) || !(await isWithinQuota(quotas, STORED_CONTRACTS, { ip }))) return;
      requested.set(key, caller);
      await contracts.request(subject);
    }
  }

  return (network, addresses, reader) => observe(network, addresses, reader).catch(() => undefined);
}
