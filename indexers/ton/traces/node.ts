import type { Cell } from '@ton/core';
import type { JettonOperation } from '../../../contracts/chain/ton-jetton';
import type {
  TraceJettonOperation,
  TraceMessage,
  TraceTransaction,
} from '../../../contracts/chain/ton-trace';
import type { TonMessage, TonTransaction } from '../../../contracts/chain/ton-transaction';
import { decodeTransaction } from '../decode/decode';
import type { LogRecord } from '../records';

/** An internal message as its sender's transaction has it. */
export type SentMessage = Omit<TraceMessage, 'parent' | 'transaction'>;

/** A transaction as a part of traces. */
export interface TraceNode {
  readonly account: string;
  /** Hash of the internal message that caused it; null when another kind of message did, or none. */
  readonly received: string | null;
  readonly transaction: TraceTransaction;
  /** The internal messages that it sent. */
  readonly sent: readonly SentMessage[];
}

function withoutPayload(operation: JettonOperation): TraceJettonOperation {
  const { forwardPayload, customPayload, comment, responseDestination, ...rest } = {
    forwardPayload: null,
    customPayload: null,
    comment: null,
    responseDestination: null,
    ...operation,
  };
  return rest as TraceJettonOperation;
}

function sentMessage({ hash, info, op, jetton, staking }: TonMessage): SentMessage[] {
  if (info.type !== 'internal') return [];
  const { src, dest, createdLt, value, fwdFee, bounced } = info;
  const meaning = { op, jetton: jetton && withoutPayload(jetton), ...(staking && { staking }) };
  const content = { value, fwdFee, bounced, ...meaning };
  return [{ hash, src, dest, createdLt, ...content }];
}

function nodeOf(tx: TonTransaction): TraceNode {
  const { account, lt, hash, time, success, exitCode, fees, inMessage, outMessages } = tx;
  const deployed = tx.statusBefore !== 'active' && tx.statusAfter === 'active';
  return {
    account,
    received: inMessage?.info.type === 'internal' ? inMessage.hash : null,
    transaction: { lt, hash, time, success, exitCode, fees, deployed },
    sent: outMessages.flatMap(sentMessage),
  };
}

/** Null when the transaction cannot be decoded. */
export function traceNode(account: string, cell: Cell): TraceNode | null {
  try {
    return nodeOf(decodeTransaction(account, cell));
  } catch {
    return null;
  }
}

/** As `traceNode`, of a transaction that was decoded for the log. */
export function nodeOfRecord({ transaction }: LogRecord): TraceNode | null {
  return transaction && nodeOf(transaction);
}

/**
 * Whether a trace begins at a transaction: the owner of the account initiated it, and it sent something. What another
 * account's message caused is final with the transaction itself.
 */
export function beginsTrace({ transaction }: LogRecord): boolean {
  if (transaction?.direction !== 'out') return false;
  return transaction.outMessages.some(({ info }) => info.type === 'internal');
}
