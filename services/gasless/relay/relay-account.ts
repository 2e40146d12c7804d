import { walletV5 } from '../../wallet-v5/wallet-v5';
import type { Relayer } from '../deps';

/** Of the relay wallet, raw. */
export function relayAddress({ key, network }: Pick<Relayer, 'key' | 'network'>): string {
  return walletV5(key.publicKey, network).address.toRawString();
}
