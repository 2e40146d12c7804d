import { beginCell, type Cell, comment, external, internal, SendMode, storeMessage, toNano } from '@ton/core';
// Not of the package's index, which loads its HTTP clients too.
import { WalletContractV5R1 } from '@ton/ton/dist/wallets/WalletContractV5R1';
import { TON_GLOBAL_IDS, type TonNetwork } from '../../../contracts/network/network';
import type { TonAccountState } from '../../../contracts/ports/ton-client';

/** The key of a wallet: nobody sees the secret part. */
export interface AnchorKey {
  /** 32 bytes. */
  readonly publicKey: Buffer;
  /** Signs the hash of a cell, 32 bytes. */
  sign(hash: Buffer): Buffer;
}

/** Nanotons: of a message, which goes to the wallet itself. */
const VALUE = toNano('0.001');
/** Nanotons that pay for several messages, and for what the wallet stores in between. */
export const MIN_BALANCE = toNano('0.05');

/** The wallet v5 r1 that applications make of the key: with the first wallet id of the network. */
export function anchorWallet(
  { publicKey }: Pick<AnchorKey, 'publicKey'>,
  network: TonNetwork,
): WalletContractV5R1 {
  return WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId: TON_GLOBAL_IDS[network] } });
}

export interface AnchorOrder {
  readonly network: TonNetwork;
  readonly seqno: number;
  /** Unix seconds. */
  readonly validUntil: number;
  readonly text: string;
}

/**
 * The external message by which the wallet sends itself a comment. The same order is the same message. The wallet takes none
 * without `IGNORE_ERRORS`, so that one it cannot pay for is left out.
 */
export async function anchorMessage(
  key: AnchorKey,
  { network, seqno, validUntil, text }: AnchorOrder,
): Promise<Cell> {
  const wallet = anchorWallet(key, network);
  const body = await wallet.createTransfer({
    seqno,
    timeout: validUntil,
    sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
    signer: cell => Promise.resolve(key.sign(cell.hash())),
    messages: [internal({ to: wallet.address, value: VALUE, bounce: false, body: comment(text) })],
  });
  const message = external({ to: wallet.address, init: seqno === 0 ? wallet.init : null, body });
  return beginCell().store(storeMessage(message)).endCell();
}

/** Messages that the wallet has carried out: behind `is_signature_allowed` in its data; 0 before it exists. */
export function seqnoIn({ data }: Pick<TonAccountState, 'data'>): number {
  return data ? data.beginParse().skip(1).loadUint(32) : 0;
}
