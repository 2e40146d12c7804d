import { Address, beginCell, type Cell, external, internal, SendMode, storeMessage } from '@ton/core';
// Not of the package's index, which loads its HTTP clients too.
import { WalletContractV5R1 } from '@ton/ton/dist/wallets/WalletContractV5R1';
import { TON_GLOBAL_IDS, type TonNetwork } from '../../../contracts/network/network';

/** A request of a wallet, and what it needs to carry it out. */
export interface Forward {
  /** Raw. */
  readonly wallet: string;
  /** Where the wallet does not exist yet. */
  readonly init: { readonly code: Cell; readonly data: Cell } | null;
  readonly body: Cell;
  /** Nanotons. */
  readonly value: bigint;
}

/** Signs the hash of a cell, 32 bytes, with the key of the relay wallet. */
export type Sign = (hash: Buffer) => Buffer;

/** Of a message that is only emulated. */
export const NO_SIGNATURE: Sign = () => Buffer.alloc(64);

export interface RelayOrder {
  readonly seqno: number;
  /** Unix seconds. */
  readonly validUntil: number;
  readonly forwards: readonly Forward[];
}

/** The wallet v5 r1 that applications make of a key (32 bytes): with the first wallet id of the network. */
export function walletV5(publicKey: Buffer, network: TonNetwork): WalletContractV5R1 {
  return WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId: TON_GLOBAL_IDS[network] } });
}

/**
 * The external message by which the relay wallet sends requests on: each comes back when its wallet refuses it. The same order and
 * signature are the same message.
 */
export async function relayMessage(
  wallet: WalletContractV5R1,
  { seqno, validUntil, forwards }: RelayOrder,
  sign: Sign,
): Promise<Cell> {
  const body = await wallet.createTransfer({
    seqno,
    timeout: validUntil,
    sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
    signer: cell => Promise.resolve(sign(cell.hash())),
    messages: forwards.map(({ wallet: to, init, body: request, value }) =>
      internal({ to: Address.parseRaw(to), value, bounce: true, init, body: request }),
    ),
  });
  const message = external({ to: wallet.address, init: seqno === 0 ? wallet.init : null, body });
  return beginCell().store(storeMessage(message)).endCell();
}
