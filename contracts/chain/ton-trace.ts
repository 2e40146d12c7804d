import type { JettonOperation, JettonWallets } from './ton-jetton';
import type { StakingOperation, TransactionRef } from './ton-transaction';

/** The trace of a transaction: the messages that it sent, the transactions these caused, and so on. */
export interface TonTrace {
  /**
   * `open` while transactions are missing that may still come; `abandoned` when they were not found within bounds of age
   * and size.
   */
  readonly state: 'open' | 'complete' | 'abandoned';
  /** In the order of logical time, so that each comes after the one that caused it. */
  readonly messages: readonly TraceMessage[];
  /** Those that contracts which the account itself has called have sent jettons to, as their masters confirm. Default: none. */
  readonly jettonWallets?: JettonWallets;
  /** Of the pools that the account itself has called. Default: none. */
  readonly depositFees?: DepositFees;
}

/** What pools (raw addresses) take of the value of a deposit, as they said when the trace was indexed; nanotons. */
export type DepositFees = Readonly<Record<string, { readonly fee: string; readonly receipt: string }>>;

/** An internal message. Addresses are raw, amounts nanotons. */
export interface TraceMessage {
  /** Hash (base64) of its cell, which the sending and the receiving transaction share. */
  readonly hash: string;
  /** The message, by its place in the trace, whose transaction sent this one; null: the transaction of the trace did. */
  readonly parent: number | null;
  readonly src: string;
  readonly dest: string;
  /** Logical time, unique among the messages of a sender. */
  readonly createdLt: string;
  readonly value: string;
  readonly fwdFee: string;
  readonly bounced: boolean;
  readonly op: number | null;
  readonly jetton: TraceJettonOperation | null;
  /** Absent when there is none, and in traces of a decoder before version 2. */
  readonly staking?: StakingOperation;
  /** What the message caused; null while that is not known. */
  readonly transaction: TraceTransaction | null;
}

type WithoutPayload<T> = T extends unknown
  ? Omit<T, 'forwardPayload' | 'customPayload' | 'comment' | 'responseDestination'>
  : never;

export type TraceJettonOperation = WithoutPayload<JettonOperation>;

export interface TraceTransaction {
  readonly lt: string;
  readonly hash: string;
  /** Unix seconds. */
  readonly time: number;
  readonly success: boolean;
  /** Of the compute phase; null when it was skipped. */
  readonly exitCode: number | null;
  readonly fees: string;
  /** The contract became active. */
  readonly deployed: boolean;
}

/** Messages of a trace; what lies beyond is not followed. A transfer of a token sends four or five. */
export const MAX_TRACE_MESSAGES = 1_024;

/** Whether messages may be missing that were sent by transactions which are known. */
export function isCut({ messages }: Pick<TonTrace, 'messages'>): boolean {
  return messages.length >= MAX_TRACE_MESSAGES;
}

const STATES: readonly TonTrace['state'][] = ['open', 'abandoned', 'complete'];

/** Whether a trace in state `a` is known better than one in state `b`. */
export function isLaterState(a: TonTrace['state'], b: TonTrace['state']): boolean {
  return STATES.indexOf(a) > STATES.indexOf(b);
}

/** How many messages have a known transaction. */
export function countResolved({ messages }: Pick<TonTrace, 'messages'>): number {
  return messages.filter(({ transaction }) => transaction !== null).length;
}

/** The account's own transactions in the trace: what returned to it. */
export function traceMembers(account: string, { messages }: TonTrace): TransactionRef[] {
  return messages.flatMap(({ dest, transaction }) =>
    dest === account && transaction ? [{ lt: transaction.lt, hash: transaction.hash }] : [],
  );
}

/** Whether the receiver of a message has failed on it. */
export function isRefused({ transaction }: TraceMessage): boolean {
  return transaction?.success === false;
}
