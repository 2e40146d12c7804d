import { hasRefusedStake } from './ton-stake-outcome';
import { isRefused, type TonTrace, type TraceMessage } from './ton-trace';
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

/**
 * Whether what a message asked for did not happen, as far as the trace shows: a payment came back; a call failed; tokens
 * were refused by the wallet of their receiver, or a burn by the master (TEP-74), although the sender's wallet had sent them; or
 * a staking contract has refused it, at once or later.
 */
export function isFailed(trace: TonTrace, message: TraceMessage): boolean {
  if (isReturned(trace, message) || hasRefusedStake(trace, message)) return true;
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
 * Whether the account sent the value that it received back. Only the network sends bounced messages, and only when a phase
 * has failed that the sender had asked to bounce, and the value covers the way back; else the account keeps it.
 */
export function hasReturned({ outMessages }: Pick<TonTransaction, 'outMessages'>): boolean {
  return outMessages.some(({ info }) => info.type === 'internal' && info.bounced);
}

/**
 * The final status of a transaction. What `failed` means depends on the direction:
 *
 * - `in`: the account did not keep what the message brought, because the network sent it back. Whatever the contract did
 *   with the message: coins that were credited have arrived. So has what comes back to the account from a receiver who
 *   refused it. Final at once.
 * - `out`: what the owner requested did not happen: a phase failed, nothing of it was sent, or by its trace a receiver
 *   refused it (`isFailed`). Final with everything that it caused; the indexer then publishes the trace, at the latest when
 *   it is abandoned.
 */
export function finalStatus(
  transaction: Pick<TonTransaction, 'success' | 'direction' | 'outMessages'>,
  trace: TraceOutcome | null,
): FinalStatus {
  const { success, direction, outMessages } = transaction;
  if (direction === 'in') return hasReturned(transaction) ? 'failed' : 'success';
  if (!success || trace?.failed) return 'failed';
  if (outMessages.every(({ info }) => info.type !== 'internal')) return 'success';
  return trace && trace.state !== 'open' ? 'success' : 'pending';
}
