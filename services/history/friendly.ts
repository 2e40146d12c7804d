import { friendlyTonAddress } from '../../contracts/address';
import type { TonNetwork } from '../../contracts/network';

/** Writes a raw address as wallets show it. */
export type Friendly = (raw: string) => string;

/** For one page: its transactions are of few addresses, and each costs a checksum and base64 to write. */
export function friendlyOn(network: TonNetwork): Friendly {
  const known = new Map<string, string>();
  return raw => {
    const written = known.get(raw) ?? friendlyTonAddress(raw, network);
    known.set(raw, written);
    return written;
  };
}
