import { beginCell, type Cell, external, type MessageRelaxed, SendMode, storeMessage } from '@ton/core';
import type { WalletContractV5R1 } from '@ton/ton/dist/wallets/WalletContractV5R1';
import type { TonBlockRef, TonClient } from '../../contracts/ports/ton-client';
import type { Sign } from './wallet-v5';

/** Seconds: of a message of a wallet of ours, and after them until it is looked for the last time. */
export const VALID_FOR = 120;
export const EXPIRY_MARGIN = 60;

export interface WalletOrder {
  readonly seqno: number;
  /** Unix seconds: from then on the wallet refuses it. */
  readonly validUntil: number;
  readonly messages: MessageRelaxed[];
}

/**
 * The external message by which a wallet sends messages. The same order and signature are the same message. The wallet takes none
 * without `IGNORE_ERRORS`, so that what it cannot pay for is left out.
 */
export async function walletMessage(
  wallet: WalletContractV5R1,
  { seqno, validUntil, messages }: WalletOrder,
  sign: Sign,
): Promise<Cell> {
  const body = await wallet.createTransfer({
    seqno,
    timeout: validUntil,
    messages,
    sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
    signer: cell => Promise.resolve(sign(cell.hash())),
  });
  const message = external({ to: wallet.address, init: seqno === 0 ? wallet.init : null, body });
  return beginCell().store(storeMessage(message)).endCell();
}

/**
 * The first block after the expiry of a message, once a later one is known: a node that is just behind has not even that one. A
 * message that the wallet has not carried out in it is in no later block. Null until then.
 * @param newest which the clock of the node may be ahead of
 */
export async function blockAfterExpiry(
  { client }: { readonly client: Pick<TonClient, 'getBlockAt'> },
  validUntil: number,
  newest: TonBlockRef,
): Promise<number | null> {
  const end = validUntil + EXPIRY_MARGIN;
  if (newest.now <= end) return null;
  const block = await client.getBlockAt(end);
  return block !== null && block < newest.seqno ? block : null;
}
