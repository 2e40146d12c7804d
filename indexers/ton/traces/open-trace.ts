import { TON_MESSAGE_VERSION } from '../../../contracts/chain/ton';
import { MAX_TRACE_MESSAGES, type TonTrace, type TraceMessage } from '../../../contracts/chain/ton-trace';
import type { TransactionRef } from '../../../contracts/chain/ton-transaction';
import type { TonNetwork } from '../../../contracts/network/network';
import type { NewMessage } from '../../../contracts/ports/log';
import { DECODER_VERSION } from '../decode/decode';
import { newMessage } from '../records';
import type { SentMessage, TraceNode } from './node';
import type { VerifiedTrace } from './verify-trace';

/** Messages in a row, each of which caused the next one. */
export const MAX_DEPTH = 32;

/** A trace that is being followed. Messages are in the order in which they were found. */
export interface OpenTrace extends TransactionRef {
  readonly account: string;
  /** Time of its transaction, in Unix seconds. */
  readonly begunAt: number;
  readonly messages: TraceMessage[];
  /** Messages were left out because a bound was reached. */
  cut: boolean;
}

/** A message of a trace whose transaction is not known yet. */
export interface OpenMessage {
  readonly trace: OpenTrace;
  /** Its place in the trace. */
  readonly at: number;
}

function depthOf({ messages }: OpenTrace, parent: number | null): number {
  let depth = 0;
  for (let at = parent; at !== null; at = messages[at]!.parent) depth++;
  return depth;
}

/** Adds what a transaction of the trace sent, within bounds. @returns the added messages */
function addSent(trace: OpenTrace, parent: number | null, sent: readonly SentMessage[]): OpenMessage[] {
  const free = depthOf(trace, parent) < MAX_DEPTH ? MAX_TRACE_MESSAGES - trace.messages.length : 0;
  if (sent.length > free) trace.cut = true;
  return sent.slice(0, Math.max(free, 0)).map(message => ({
    trace,
    at: trace.messages.push({ ...message, parent, transaction: null }) - 1,
  }));
}

/** The trace that begins at a transaction, with the messages that this one sent. */
export function openTrace({ account, transaction: { lt, hash, time }, sent }: TraceNode): OpenTrace {
  const trace: OpenTrace = { account, lt, hash, begunAt: time, messages: [], cut: false };
  addSent(trace, null, sent);
  return trace;
}

/** Joins a transaction to the message that caused it. @returns the messages that it sent */
export function join({ trace, at }: OpenMessage, { transaction, sent }: TraceNode): OpenMessage[] {
  trace.messages[at] = { ...trace.messages[at]!, transaction };
  return addSent(trace, at, sent);
}

/** The messages whose transactions are not known. */
export function openMessages(trace: OpenTrace): OpenMessage[] {
  return trace.messages.flatMap(({ transaction }, at) => (transaction ? [] : [{ trace, at }]));
}

export function messageOf({ trace, at }: OpenMessage): TraceMessage {
  return trace.messages[at]!;
}

/** Time of the transaction that sent a message, in Unix seconds. */
export function sentAt({ trace, at }: OpenMessage): number {
  const { parent } = trace.messages[at]!;
  return (parent === null ? null : trace.messages[parent]!.transaction)?.time ?? trace.begunAt;
}

function byCreation(a: TraceMessage, b: TraceMessage): number {
  const [first, second] = [BigInt(a.createdLt), BigInt(b.createdLt)];
  if (first !== second) return first < second ? -1 : 1;
  return a.src < b.src ? -1 : 1;
}

/** The trace independent of the order in which it was found. */
function sorted(messages: readonly TraceMessage[]): TraceMessage[] {
  const order = messages.map((_, at) => at).sort((a, b) => byCreation(messages[a]!, messages[b]!));
  const place = new Map(order.map((at, index) => [at, index]));
  return order.map(at => {
    const { parent, ...message } = messages[at]!;
    return { ...message, parent: parent === null ? null : place.get(parent)! };
  });
}

/** A trace for the log: `complete`, or in the given state while it lacks transactions. @param verified see `verifyTrace` */
export function traceMessage(
  network: TonNetwork,
  trace: OpenTrace,
  incomplete: Exclude<TonTrace['state'], 'complete'>,
  verified: VerifiedTrace = {},
): NewMessage {
  const { account, lt, hash, messages, cut } = trace;
  const isComplete = !cut && messages.every(({ transaction }) => transaction !== null);
  return newMessage({
    type: 'trace',
    version: TON_MESSAGE_VERSION,
    network,
    account,
    lt,
    hash,
    decoder: DECODER_VERSION,
    state: isComplete ? 'complete' : incomplete,
    messages: sorted(messages),
    ...verified,
  });
}
