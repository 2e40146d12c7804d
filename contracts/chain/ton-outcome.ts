import type { TonTrace, TraceMessage } from './ton-trace';
import type { TonTransaction } from './ton-transaction';

/** What finally became of a transaction; `pending` while what it sent is on its way. */
export type FinalStatus = 'pending' | 'success' | 'failed';

/** The messages that the transaction of a message sent. */
function causedBy({ messages }: TonTrace, message: TraceMessage): readonly TraceMessage[] {
  const at = messages.indexOf(message);
  return messages.filter(({ parent }) => parent === at);
}

/** The receiver sent the value back. */
export function isReturned(trace: TonTrace, message: TraceMessage): boolean {
  return causedBy(trace, message).some(({ bounced, dest }) => bounced && dest === message.src);
}

/** Values reach an account that refuses nothing, whether or not its contract does anything with them. */
const isPayment = ({ op, bounced }: TraceMessage): boolean => op === null || op === 0 || bounced;

/** These change balances of a token only once they are accepted. */
const movesJettons = ({ jetton }: TraceMessage): boolean =>
  jetton?.type === 'internal_transfer' || jetton?.type === 'burn_notification';

const isRefused = ({ transaction }: TraceMessage): boolean => transaction?.success === false;

/**
 * Whether what a message asked for did not happen, as far as the trace shows: a payment came back; a call failed; tokens
 * were refused by the wallet of their receiver, or a burn by the master (TEP-74), although the sender's wallet had sent them.
 */
export function isFailed(trace: TonTrace, message: TraceMessage): boolean {
  if (isReturned(trace, message)) return true;
  if (isPayment(message)) return false;
  return (
    isRefused(message) || causedBy(trace, message).some(caused => movesJettons(caused) && isRefused(caused))
  );
}

/** Whether a message that the transaction of the trace sent has failed. */
export function hasFailed(trace: TonTrace): boolean {
  return trace.messages.some(message => message.parent === null && isFailed(trace, message));
}

/** What is known of a trace, for the status of its transaction. */
export interface TraceOutcome {
  readonly state: TonTrace['state'];
  readonly failed: boolean;
}

/** Whether a transaction received what the account had sent to somebody, who refused it. */
export function isBounce({ inMessage }: Pick<TonTransaction, 'inMessage'>): boolean {
  return inMessage?.info.type === 'internal' && inMessage.info.bounced;
}

/**
 * The final status of a transaction. That of a bounce is the status of what came back: failed. What the owner of an account
 * initiated is final with everything that it caused; the indexer then publishes its trace, at the latest when the trace is
 * abandoned. Anything else is final at once.
 */
export function finalStatus(
  transaction: Pick<TonTransaction, 'success' | 'direction' | 'inMessage' | 'outMessages'>,
  trace: TraceOutcome | null,
): FinalStatus {
  const { success, direction, outMessages } = transaction;
  if (!success || isBounce(transaction) || trace?.failed) return 'failed';
  if (direction === 'in' || outMessages.every(({ info }) => info.type !== 'internal')) return 'success';
  return trace && trace.state !== 'open' ? 'success' : 'pending';
}
