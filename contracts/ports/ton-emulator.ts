import type { Cell } from '@ton/core';
import type { TonBlockRef } from './ton-client';

/** What would happen if a message was sent now. */
export interface Emulation {
  /** Unix seconds at which it was emulated. */
  readonly utime: number;
  /** In the order of execution: each but the first follows from one before it. */
  readonly transactions: readonly EmulatedTransaction[];
  /** Nanotons of one of the accounts (raw) that were asked for, before the first transaction and after the last. */
  balanceOf(address: string): Change;
  /**
   * Smallest units in one of the jetton wallets (raw) that were asked for, by its `get_wallet_data` (TEP-74); 0 where there is no
   * wallet.
   */
  jettonsOf(jettonWallet: string): Change;
}

export interface Change {
  readonly before: bigint;
  readonly after: bigint;
}

export interface EmulatedTransaction {
  /** Raw. */
  readonly account: string;
  /** The transaction that has sent its message; null for the first. */
  readonly parent: number | null;
  readonly message: EmulatedMessage;
  /** Its code ended without an error, and every action was carried out. */
  readonly succeeded: boolean;
  /** Of the code; null when none was run. */
  readonly exitCode: number | null;
  /** Nanotons by which the balance of the account has grown; null unless it is one of `receivers`. */
  readonly received: bigint | null;
  readonly sent: readonly EmulatedMessage[];
}

export interface EmulatedMessage {
  /** Raw; null for an external message. */
  readonly source: string | null;
  readonly destination: string;
  /** Nanotons. */
  readonly value: bigint;
  readonly bounced: boolean;
  /** Hex. */
  readonly bodyHash: string;
  /** The first 32 bits of the body; null where it is shorter. */
  readonly op: number | null;
}

/** The message cannot be emulated: its account rejects it, or it causes more transactions than are allowed. */
export class CannotEmulate extends Error {
  override readonly name = 'CannotEmulate';
}

export interface EmulationOptions {
  /** Accounts (raw) for which every signature counts as right: those of all others are checked. */
  readonly unsigned: readonly string[];
  /** The block as of which accounts are read; default: the newest. */
  readonly block?: TonBlockRef;
  /** Accounts (raw) that will probably take part: they are read at once, and not one after the other. */
  readonly expected?: readonly string[];
  /** Accounts (raw) whose coins are wanted: reading a state takes as long as executing a transaction. */
  readonly balances?: readonly string[];
  /** Accounts (raw) of which is wanted what they receive in each of their transactions. */
  readonly receivers?: readonly string[];
  /** Jetton wallets (raw) whose balances are wanted. */
  readonly jettonWallets?: readonly string[];
}

/** Emulates transactions of one network of TON on the newest states of its accounts, without sending anything. */
export interface TonEmulator {
  /**
   * Emulates an external message and all that follows from it.
   * @throws CannotEmulate; else when no node has answered
   */
  emulate(message: Cell, options: EmulationOptions): Promise<Emulation>;
  /**
   * Smallest units in a jetton wallet (raw) as of a block, by its `get_wallet_data` (TEP-74); 0 where there is none. Its state is
   * read, which an emulation needs anyway, and no node runs the method.
   * @throws CannotEmulate; else when no node has answered
   */
  jettonsIn(jettonWallet: string, block: TonBlockRef): Promise<bigint>;
  /**
   * The wallet of an owner as its jetton master says (`get_wallet_address` of TEP-74), a minute ago at most; raw. The master is read, for
   * all owners at once; a node runs the method only where the master cannot be emulated.
   * @throws GetMethodFailed; CannotEmulate; else when no node has answered
   */
  jettonWalletOf(master: string, owner: string, block: TonBlockRef): Promise<string>;
}
