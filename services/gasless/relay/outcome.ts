import { isReturned } from '../../../contracts/chain/ton-outcome';
import { isCut, type TonTrace, type TraceMessage } from '../../../contracts/chain/ton-trace';

/** What became of a request that was sent on. */
export type SendOutcome =
  | {
      readonly type: 'confirmed' | 'skipped';
      readonly transaction: { readonly lt: string; readonly hash: string };
    }
  | { readonly type: 'bounced'; readonly exitCode: number | null };

/**
 * What the trace of the relay wallet's transaction says of the request to a wallet (raw); null while it is not known. That the
 * wallet's transaction succeeded says nothing: it skips what it cannot pay for.
 */
export function outcomeOf(trace: TonTrace, wallet: string): SendOutcome | null {
  const request = trace.messages.find(({ parent, dest }) => parent === null && dest === wallet);
  if (!request?.transaction) return null;
  const { transaction } = request;
  if (isReturned(trace, request)) return { type: 'bounced', exitCode: transaction.exitCode };
  const { lt, hash } = transaction;
  const type = transfersOutcome(trace, request);
  return type && { type, transaction: { lt, hash } };
}

/**
 * Whether both transfers have arrived that a wallet was asked for; null while it is not known.
 * @param request the message to the wallet; null where the trace is that of the wallet's own transaction
 */
export function transfersOutcome(
  trace: TonTrace,
  request: TraceMessage | null,
): 'confirmed' | 'skipped' | null {
  const transfers = causedBy(trace, request).filter(({ jetton }) => jetton?.type === 'transfer');
  const results = transfers.map(transfer => isDone(trace, transfer));
  const isSkipped = transfers.length < 2 || results.includes(false);
  // Of a trace that somebody has made too long, what is missing says nothing.
  if (isSkipped) return isCut(trace) ? null : 'skipped';
  return results.includes(null) ? null : 'confirmed';
}

function causedBy({ messages }: TonTrace, message: TraceMessage | null): readonly TraceMessage[] {
  const at = message && messages.indexOf(message);
  return messages.filter(({ parent }) => parent === at);
}

/** Null while it is not known. */
function isDone(trace: TonTrace, transfer: TraceMessage): boolean | null {
  if (!transfer.transaction) return null;
  if (!transfer.transaction.success) return false;
  const arrival = causedBy(trace, transfer).find(({ jetton }) => jetton?.type === 'internal_transfer');
  if (!arrival) return false;
  return arrival.transaction && arrival.transaction.success;
}
