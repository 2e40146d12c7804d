import type { Relayer } from '../deps';
import { readWalletState, type WalletState } from '../../wallet-v5/state';
import { walletV5 } from '../../wallet-v5/wallet-v5';

/** A wallet v5 r1 as the chain has it, or as it will be deployed. */
export interface WalletAccount {
  readonly state: WalletState;
  /** Where the chain has none yet. */
  readonly isNew: boolean;
}

/**
 * The wallet at an address (raw), when it is the one that applications make of the key, and nothing but its owner can move what
 * it has: otherwise what was emulated could be undone before it happens. Null for every other.
 * @param publicKey hex
 */
export async function walletAccount(
  { client, network }: Pick<Relayer, 'client' | 'network'>,
  address: string,
  publicKey: string,
): Promise<WalletAccount | null> {
  const wallet = walletV5(Buffer.from(publicKey, 'hex'), network);
  if (wallet.address.toRawString() !== address) return null;
  const { seqno } = await client.getLastBlock();
  const { status, code, data } = await client.getAccount(seqno, address);
  if (status === 'frozen') return null;
  const isNew = !code || !data;
  const state = readWalletState(isNew ? wallet.init : { code, data });
  const isOwnersAlone = state?.isSignatureAllowed && !state.hasExtensions && state.publicKey === publicKey;
  return isOwnersAlone ? { state, isNew } : null;
}
