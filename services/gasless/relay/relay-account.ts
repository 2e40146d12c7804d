import type { Relayer } from '../deps';
import { readWalletState } from '../request/wallet-state';
import { walletV5 } from './relay-message';

/** Of the relay wallet, raw. */
export function relayAddress({ key, network }: Pick<Relayer, 'key' | 'network'>): string {
  return walletV5(key.publicKey, network).address.toRawString();
}

/** Messages that the relay wallet (raw) has carried out, as a block of the masterchain says; 0 where it does not exist yet. */
export async function relaySeqnoAt(
  { client }: Pick<Relayer, 'client'>,
  relay: string,
  block: number,
): Promise<number> {
  const { code, data } = await client.getAccount(block, relay);
  return code && data ? (readWalletState({ code, data })?.seqno ?? 0) : 0;
}
