import { LRUCache } from 'lru-cache';
import { atMost } from '../../contracts/engine/cache-bounds';
import { formatTonAddress } from '../../contracts/account/address';
import type { TonNetwork } from '../../contracts/network/network';

/** Formats a raw address as wallets show it (user-friendly form of TEP-2). */
export type FormatAddress = (raw: string) => string;

const MAX_CACHED = 10_000;

/** Histories repeat a few addresses, and formatting one takes microseconds. */
const cached: Readonly<Record<TonNetwork, LRUCache<string, string>>> = {
  mainnet: new LRUCache(atMost(MAX_CACHED)),
  testnet: new LRUCache(atMost(MAX_CACHED)),
};

export function addressFormatter(network: TonNetwork): FormatAddress {
  const known = cached[network];
  return raw => {
    const formatted = known.get(raw) ?? formatTonAddress(raw, network);
    known.set(raw, formatted);
    return formatted;
  };
}
