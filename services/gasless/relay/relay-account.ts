import type { Relayer } from '../deps';
import { readWalletState } from '../request/wallet-state';
import { walletV5 } from './relay-message';

/** Of the relay wallet, raw. */
export function relayAddress({ key, network }: Pick<Relayer, 'key' | 'network'>): string {
  return walletV5(key.publicKey, network).address.toRawString();
}

export interface RelayAccount {
  /** Messages that it has carried out; 0 where it does not exist yet. */
  readonly seqno: number;
  /** Nanotons. */
  readonly balance: bigint;
}

/** The relay wallet (raw) as a block of the masterchain says. */
export async function relayAccountAt(
  { client }: { readonly client: Pick<Relayer['client'], 'getAccount'> },
  relay: string,
  block: number,
): Promise<RelayAccount> {
  const { code, data, balance } = await client.getAccount(block, relay);
  const state = code && data ? readWalletState({ code, data }) : null;
  return { seqno: state?.seqno ?? 0, balance };
}
