import { tonMessageKey, type TonLogMessage } from '../../../contracts/chain/ton';
import type { Payment } from './payment';

/**
 * What a transaction of the account brought it, if it bears a comment: coins, or jettons by the notification of TEP-74.
 * Nothing when the message bounced, was sent back, or is from the account itself.
 */
export function tonPayment(message: TonLogMessage): Payment | null {
  if (message.type !== 'transaction') return null;
  const { inMessage, success } = message.transaction;
  if (!inMessage || !success || inMessage.info.type !== 'internal') return null;
  const { info, jetton, comment } = inMessage;
  if (info.bounced || info.src === message.account) return null;
  const arrived = { account: tonMessageKey(message), transaction: message.hash };
  if (jetton?.type === 'transfer_notification') {
    if (jetton.comment === null || jetton.sender === message.account) return null;
    return { ...arrived, asset: info.src, amount: jetton.amount, memo: jetton.comment.trim() };
  }
  if (comment === null) return null;
  return { ...arrived, asset: 'native', amount: info.value, memo: comment.trim() };
}
