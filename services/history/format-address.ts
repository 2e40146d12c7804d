import { formatTonAddress } from '../../contracts/address';
import type { TonNetwork } from '../../contracts/network';

/** Formats a raw address as wallets show it (user-friendly form of TEP-2). */
export type FormatAddress = (raw: string) => string;

/** For one page: its transactions repeat a few addresses, so the formatted ones are cached. */
export function addressFormatter(network: TonNetwork): FormatAddress {
  const cached = new Map<string, string>();
  return raw => {
    const formatted = cached.get(raw) ?? formatTonAddress(raw, network);
    cached.set(raw, formatted);
    return formatted;
  };
}
