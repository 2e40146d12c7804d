import type { AccountRef } from '../network/network';
import { accountKey } from '../network/network';
import type { LogMessage, NewMessage } from '../ports/log';
import { VALID_UNTIL, type RemovedDocuments } from './removed-documents';
import { decodeSolanaMessage, encodeSolanaMessage, SOLANA_TRANSACTIONS } from './solana';
import { decodeTonMessage, encodeTonMessage, TON_MESSAGE_VERSION, TON_TRANSACTIONS } from './ton';

/** The topic of the transactions of an account. */
export function accountTopic({ chain }: Pick<AccountRef, 'chain'>): string {
  return chain === 'ton' ? TON_TRANSACTIONS.name : SOLANA_TRANSACTIONS.name;
}

/**
 * The record that takes documents of an account.
 * @param until RFC 3339: it counts for nothing when the log has stored it later
 */
export function removalRecord(
  account: AccountRef,
  documents: RemovedDocuments['documents'],
  until: string,
): NewMessage {
  const removed = { type: 'removed', account: account.address, documents } as const;
  const value =
    account.chain === 'ton'
      ? encodeTonMessage({ ...removed, version: TON_MESSAGE_VERSION, network: account.network })
      : encodeSolanaMessage({ ...removed, network: account.network });
  return { key: accountKey(account), value, headers: { [VALID_UNTIL]: until } };
}

/** Whether a record of the topic of an account takes documents of it. */
export function isRemoval({ chain }: Pick<AccountRef, 'chain'>, { value }: LogMessage): boolean {
  return (chain === 'ton' ? decodeTonMessage(value) : decodeSolanaMessage(value)).type === 'removed';
}
