import { tonMessageKey, type TonLogMessage } from '../../../contracts/chain/ton';
import { hasReturned } from '../../../contracts/chain/ton-outcome';
import type { Payment } from './payment';

/**
 * The payment of a transaction with a comment: coins, or jettons by the transfer notification of TEP-74. Null when the
 * message is one that came back, its value was sent back, or it is from the account itself.
 */
export function tonPayment(message: TonLogMessage): Payment | null {
  if (message.type !== 'transaction') return null;
  const { inMessage } = message.transaction;
  if (inMessage?.info.type !== 'internal' || hasReturned(message.transaction)) return null;
  const { info, jetton, comment } = inMessage;
  if (info.bounced || info.src === message.account) return null;
  const received = { account: tonMessageKey(message), transaction: message.hash };
  if (jetton?.type === 'transfer_notification') {
    if (jetton.comment === null || jetton.sender === message.account) return null;
    return { ...received, asset: info.src, amount: jetton.amount, memo: jetton.comment.trim() };
  }
  if (comment === null) return null;
  return { ...received, asset: 'native', amount: info.value, memo: comment.trim() };
}
