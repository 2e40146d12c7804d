import type {
  TonBackfilledMessage,
  TonRetractedMessage,
  TonTransactionMessage,
} from '../../contracts/chain/ton';
import { foldReached, NOTHING_REACHED, type Reached } from './reached';
import { padLt } from './transactions/documents';

/** How much of an account is folded, and its newest transaction: padded logical time, and base64. */
export type FoldedHistory = Reached & { newest: string | null; hash: string | null };

/**
 * It only grows, so the order of records does not matter; until something of the account is retracted, after which its history is
 * read again.
 */
export function foldHistory<Account extends FoldedHistory>(
  account: Account,
  message: TonTransactionMessage | TonBackfilledMessage | TonRetractedMessage,
): Account {
  if (message.type === 'backfilled') return { ...account, ...foldReached(account, message) };
  if (message.type === 'retracted') {
    const isNewest = account.hash === message.hash;
    return { ...account, ...(isNewest && { newest: null, hash: null }), ...NOTHING_REACHED };
  }
  const lt = padLt(message.lt);
  if (account.newest !== null && account.newest >= lt) return account;
  return { ...account, newest: lt, hash: message.hash };
}
