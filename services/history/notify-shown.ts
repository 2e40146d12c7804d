import { LRUCache } from 'lru-cache';
import { atMost } from '../../contracts/engine/cache-bounds';
import type { TonNetwork } from '../../contracts/network/network';
import type { TonHistoryEntry } from '../../projections/ton/transactions/queries';
import { addressesOf } from './pages';

/** Called with the addresses (friendly) of rows that are shown: wallets ask for their contracts next. */
export type OnShown = (network: TonNetwork, addresses: readonly string[]) => void;

const MAX_ROWS = 10_000;
const MINUTE_MS = 60_000;

/**
 * Notifies of the addresses of rows, of each row once a minute: wallets read their first page again and again, and to scan it
 * takes as long as to read and send it.
 */
export function notifyShown(
  onShown: OnShown,
  now: () => number = () => performance.now(),
): (network: TonNetwork, rows: readonly Pick<TonHistoryEntry, 'hash' | 'row'>[]) => void {
  const notified = new LRUCache<string, true>({
    ...atMost(MAX_ROWS),
    ttl: MINUTE_MS,
    ttlResolution: 0,
    perf: { now },
  });
  return (network, rows) => {
    const addresses: string[] = [];
    for (const { hash, row } of rows) {
      const key = `${network} ${hash}`;
      if (notified.has(key)) continue;
      notified.set(key, true);
      addresses.push(...addressesOf(row));
    }
    if (addresses.length > 0) onShown(network, addresses);
  };
}
