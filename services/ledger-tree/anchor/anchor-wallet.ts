import { type Cell, comment, internal, toNano } from '@ton/core';
import type { TonNetwork } from '../../../contracts/network/network';
import { walletMessage } from '../../wallet-v5/message';
import { walletV5, type WalletKey } from '../../wallet-v5/wallet-v5';

/** Nanotons: of a message, which goes to the wallet itself. */
const VALUE = toNano('0.001');
/** Nanotons that pay for several messages, and for what the wallet stores in between. */
export const MIN_BALANCE = toNano('0.05');

export interface AnchorOrder {
  readonly network: TonNetwork;
  readonly seqno: number;
  /** Unix seconds. */
  readonly validUntil: number;
  readonly text: string;
}

/** The external message by which the wallet sends itself a comment. The same order is the same message. */
export function anchorMessage(
  key: WalletKey,
  { network, seqno, validUntil, text }: AnchorOrder,
): Promise<Cell> {
  const wallet = walletV5(key.publicKey, network);
  const messages = [internal({ to: wallet.address, value: VALUE, bounce: false, body: comment(text) })];
  return walletMessage(wallet, { seqno, validUntil, messages }, key.sign);
}
