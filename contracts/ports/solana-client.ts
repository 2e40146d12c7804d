import type { Connection } from '@solana/web3.js';
import type { SolanaAccountObserved, SolanaSignatureStatus } from '../chain/solana-observations';

export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What a node answered to one call of a batch. */
export type RpcOutcome = { readonly result: unknown } | { readonly error: RpcError };

export interface RpcOptions {
  /** Reads the text of the response; default `readJson`. */
  parse?(text: string): unknown;
  /** Of the response, decompressed; default 64 MiB. */
  readonly maxBytes?: number;
}

/** One node of a network. */
export interface SolanaNode {
  readonly url: string;
  readonly connection: Connection;
  /** A call without the checks of `Connection`. @throws RpcError */
  rpc(method: string, params: readonly unknown[], options?: RpcOptions): Promise<unknown>;
  /** Calls in few requests, or one by one if the node refuses that; outcomes in the order of the calls. */
  batch(calls: readonly RpcCall[]): Promise<readonly RpcOutcome[]>;
}

/** A value with the slot that the node was at. */
export interface AtSlot<T> {
  readonly slot: number;
  readonly value: T;
}

export interface SolanaAccountInfo {
  /** The program that owns the account, base58. */
  readonly owner: string;
  readonly data: Buffer;
}

/** A token account; `amount` is in the smallest unit. */
export interface SolanaTokenAccount {
  readonly address: string;
  /** May not exist any more: of Token-2022 it can be closed while accounts of it are left, which are empty. */
  readonly mint: string;
  readonly amount: bigint;
}

/**
 * A Solana network behind any number of nodes. Addresses and signatures are base58; reads are of commitment `confirmed`.
 * Every call rejects when no node has answered it, with `WrongNetwork` when what answers is of another network.
 */
export interface SolanaClient {
  /** The account without its data, also when it does not exist. */
  getAccount(address: string): Promise<AtSlot<SolanaAccountObserved>>;
  /** In the order of the addresses; null where there is no account. Rejects before `minSlot`. */
  getAccounts(addresses: readonly string[], minSlot?: number): Promise<readonly (SolanaAccountInfo | null)[]>;
  /** The token accounts of an owner, of both token programs. Nothing before `slot` is missing. */
  getTokenAccounts(owner: string): Promise<AtSlot<readonly SolanaTokenAccount[]>>;
  /** Null when no node knows the signature: the transaction was dropped or has not arrived yet. */
  getSignatureStatus(signature: string): Promise<AtSlot<SolanaSignatureStatus>>;
  getLatestBlockhash(): Promise<{ readonly blockhash: string; readonly lastValidBlockHeight: number }>;
  /** Sends a signed transaction after a simulation and returns its signature. @throws RpcError when that failed */
  sendTransaction(transaction: Uint8Array): Promise<string>;

  /** Runs a read on the node in use; when it throws, on the next, a bounded number of times. */
  withFailover<T>(read: (node: SolanaNode) => Promise<T>): Promise<T>;
  /** As `withFailover`, for a hint that proves nothing: the node is not asked for its genesis after it. */
  hint<T>(read: (node: SolanaNode) => Promise<T>): Promise<T>;
  /** Switches to the next node, which may have what this one lacks. */
  useNextNode(): void;
  readonly nodeCount: number;
  /** Resolves at the next new slot, or after `timeoutMs`. */
  waitForSlot(timeoutMs: number): Promise<void>;
}

/** An error that a node answered with; codes: `JSON_RPC_SERVER_ERROR_*` of Solana's RPC client API. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(`${message} (${code})`);
  }
}
