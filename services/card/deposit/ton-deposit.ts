import { tonMessageKey, type TonLogMessage, type TonTransactionMessage } from '../../../contracts/chain/ton';
import { hasReturned } from '../../../contracts/chain/ton-outcome';

/** What an address has received with a transaction. */
export interface TonDeposit {
  /** The key of the account of the chain. */
  readonly address: string;
  /** Nanotons. */
  readonly amount: string;
}

/** The coins that a transaction has brought; null when it brought none, or they were sent back. Any comment will do: the address says whose they are. */
export function tonDeposit(message: TonLogMessage): (TonDeposit & TonTransactionMessage) | null {
  if (message.type !== 'transaction') return null;
  const { inMessage } = message.transaction;
  if (inMessage?.info.type !== 'internal' || hasReturned(message.transaction)) return null;
  const { info } = inMessage;
  if (info.bounced || info.src === message.account || BigInt(info.value) <= 0n) return null;
  return { ...message, address: tonMessageKey(message), amount: info.value };
}
