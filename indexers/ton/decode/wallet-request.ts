import type { Cell } from '@ton/core';
import type { WalletOperation } from '../../../contracts/chain/ton-transaction';

/** A message that a request asks the wallet to send: the cell of a `MessageRelaxed`, nothing of which the chain has checked. */
export interface RequestedMessage {
  readonly mode: number;
  readonly cell: Cell;
}

/** What the owner of a wallet, or one of its extensions, asks of it. */
export interface WalletRequest {
  /** Signed by the owner; null in a request of an extension or plugin. */
  readonly seqno: number | null;
  readonly messages: readonly RequestedMessage[];
  readonly operations: readonly WalletOperation[];
}

export type Actions = Pick<WalletRequest, 'messages' | 'operations'>;
export const NO_ACTIONS: Actions = { messages: [], operations: [] };

/** Actions that cannot be read are left out: the wallet would not have carried them out. */
export function actionsOf(read: () => Actions): Actions {
  try {
    return read();
  } catch {
    return NO_ACTIONS;
  }
}

/** Bits of a signature. */
export const SIGNATURE = 512;
