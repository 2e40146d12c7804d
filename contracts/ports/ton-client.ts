import type { Cell, TupleItem, TupleReader } from '@ton/core';
import type { TransactionRef } from '../chain/ton-transaction';

export interface TonBlockRef {
  /** Of the masterchain. */
  readonly seqno: number;
  /** Unix seconds on the node. */
  readonly now: number;
}

export interface TonAccountState {
  /** Nanotons. */
  readonly balance: bigint;
  /** Amounts of extra currencies by their ids, decimal. */
  readonly currencies: Readonly<Record<string, string>>;
  readonly status: 'active' | 'uninitialized' | 'frozen';
  /** Null unless active. */
  readonly code: Cell | null;
  readonly data: Cell | null;
  /** The newest transaction; null when there is none. */
  readonly lastTransaction: TransactionRef | null;
  /** Base64; null unless frozen. */
  readonly stateHash: string | null;
  /** Null where nothing is stored. */
  readonly storage: TonStorage | null;
}

/** An account without its code and data, which may be large. */
export interface TonAccountLite extends Omit<TonAccountState, 'currencies' | 'code' | 'data'> {
  /** Base64; null unless active. */
  readonly codeHash: string | null;
  /** Base64; null unless active. */
  readonly dataHash: string | null;
}

/** What an account stores, and until when that is paid. */
export interface TonStorage {
  /** Unix seconds. */
  readonly lastPaid: number;
  /** Nanotons that it owes; null when it owes nothing. */
  readonly duePayment: bigint | null;
  readonly used: { readonly bits: number; readonly cells: number; readonly publicCells: number };
}

/**
 * A TON network behind any number of nodes. Addresses are raw. What is read as of a block (`seqno` of the masterchain)
 * never changes and is cached. Every call rejects when no node has answered it, with `WrongNetwork` when what answers is
 * of another network.
 */
export interface TonClient {
  getLastBlock(): Promise<TonBlockRef>;
  /** The block (seqno of the masterchain) of an instant in the past, Unix seconds; null when the network has none of then. */
  getBlockAt(utime: number): Promise<number | null>;
  getAccount(seqno: number, address: string): Promise<TonAccountState>;
  getAccountLite(seqno: number, address: string): Promise<TonAccountLite>;
  /** Runs a get method. @throws GetMethodFailed when the contract ends with another code than 0 or 1 */
  runMethod(
    seqno: number,
    address: string,
    method: string,
    args?: readonly TupleItem[],
  ): Promise<TupleReader>;
  /** Parameters of the network by number: those named, or all. */
  getConfig(seqno: number, parameters?: readonly number[]): Promise<ReadonlyMap<number, Cell>>;
  /** Sends an external message, a BoC. */
  sendMessage(boc: Buffer): Promise<void>;
  /**
   * The wallet of an owner as its jetton master says (`get_wallet_address` of TEP-74), which never changes; raw.
   * @param seqno a block that has the master; default: the newest
   * @throws GetMethodFailed
   */
  getJettonWallet(master: string, owner: string, seqno?: number): Promise<string>;
}

/** The contract does not exist, does not have the method, or refused the arguments. */
export class GetMethodFailed extends Error {
  override readonly name = 'GetMethodFailed';
  constructor(
    method: string,
    readonly exitCode: number,
  ) {
    super(`${method} ended with exit code ${exitCode}`);
  }
}
