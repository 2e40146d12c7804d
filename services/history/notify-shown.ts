import { LRUCache } from 'lru-cache';
import { atMost } from '../../contracts/engine/cache-bounds';
import type { TonNetwork } from '../../contracts/network/network';
import { addressKey } from '../../contracts/http/address-key';
import type { TonHistoryEntry } from '../../projections/ton/transactions/queries';
import type { AnyCall } from '../http/call';
import { addressesOf } from './pages';

/** Who is shown rows. */
type Reader = Pick<AnyCall, 'ip'>;

/** Called with the addresses (friendly) of rows that a reader is shown: wallets ask for their contracts next. */
export type OnShown = (network: TonNetwork, addresses: readonly string[], reader: Reader) => void;

const MAX_ROWS = 10_000;
const MINUTE_MS = 60_000;

/**
 * Notifies of the addresses of rows, of each row that a caller is shown once a minute: wallets read their first page again and
 * again, and to scan it takes as long as to read and send it.
 */
export function notifyShown(
  onShown: OnShown,
  now: () => number = () => performance.now(),
): (network: TonNetwork, rows: readonly Pick<TonHistoryEntry, 'hash' | 'row'>[], reader: Reader) => void {
  const notified = new LRUCache<string, true>({
    ...atMost(MAX_ROWS),
    ttl: MINUTE_MS,
    ttlResolution: 0,
    perf: { now },
  });
  return (network, rows, { ip }) => {
    const addresses: string[] = [];
    for (const { hash, row } of rows) {
      const key = `${addressKey(ip)} ${network} ${hash}`;
      if (notified.has(key)) continue;
      notified.set(key, true);
      addresses.push(...addressesOf(row));
    }
    if (addresses.length > 0) onShown(network, addresses, { ip });
  };
}
