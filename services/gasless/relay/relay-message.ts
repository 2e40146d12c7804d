import { Address, type Cell, internal } from '@ton/core';
import type { WalletContractV5R1 } from '@ton/ton/dist/wallets/WalletContractV5R1';
import { walletMessage } from '../../wallet-v5/message';
import type { Sign } from '../../wallet-v5/wallet-v5';

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

/** Of a message that is only emulated. */
export const NO_SIGNATURE: Sign = () => Buffer.alloc(64);

export interface RelayOrder {
  readonly seqno: number;
  /** Unix seconds. */
  readonly validUntil: number;
  readonly forwards: readonly Forward[];
}

/**
 * The external message by which the relay wallet sends requests on: each comes back when its wallet refuses it. The same order and
 * signature are the same message.
 */
export function relayMessage(
  wallet: WalletContractV5R1,
  { seqno, validUntil, forwards }: RelayOrder,
  sign: Sign,
): Promise<Cell> {
  const messages = forwards.map(({ wallet: to, init, body, value }) =>
    internal({ to: Address.parseRaw(to), value, bounce: true, init, body }),
  );
  return walletMessage(wallet, { seqno, validUntil, messages }, sign);
}
