import { isSameButAmount, isSameCell, type JettonMessage } from '../request/jetton-message';
import { COMMISSION_VALUE, commissionBody, type Quote } from './quote';

/** Why signed messages are not those of a quote. */
export type Mismatch = 'other_messages' | 'amount_above_quote' | 'amount_above_balance';

/** `SENDRAWMSG`: the sender pays fees apart, and an action that fails is skipped. With any other mode the coins can be kept. */
const MODE = 3;

interface SignedMessage {
  readonly mode: number;
  /** Null for what is no transfer of jettons. */
  readonly message: JettonMessage | null;
}

/**
 * Compares what a wallet has signed with a quote. Applications change the transfer between the two: they add one unit that they
 * had left off, or send all that the commission leaves, and write its forward payload in another way. Nothing else may differ,
 * and the message of the commission not at all.
 * @param balance smallest units that the wallet has; null while they cannot be counted: then the emulation decides
 * @returns null where the quote covers them
 */
export function mismatchOf(
  quote: Quote,
  signed: readonly SignedMessage[],
  balance: bigint | null,
): Mismatch | null {
  const [target, commission, ...others] = signed;
  if (others.length > 0 || !isTarget(quote, target) || !isCommission(quote, commission))
    return 'other_messages';
  const { amount } = target.message.transfer;
  if (amount > quote.target.transfer.amount + 1n) return 'amount_above_quote';
  return balance !== null && amount + quote.commission > balance ? 'amount_above_balance' : null;
}

function isTarget(
  { target, jettonWallet }: Quote,
  signed: SignedMessage | undefined,
): signed is { mode: number; message: JettonMessage } {
  if (!signed?.message || signed.mode !== MODE) return false;
  const { to, value, bounce, init, transfer } = signed.message;
  return (
    to === jettonWallet &&
    bounce &&
    value === target.value &&
    isSameCell(init, target.init) &&
    transfer.amount > 0n &&
    isSameButAmount(transfer, target.transfer)
  );
}

function isCommission(quote: Quote, signed: SignedMessage | undefined): boolean {
  if (!signed?.message || signed.mode !== MODE) return false;
  const { to, value, bounce, init, body } = signed.message;
  const isSame = to === quote.jettonWallet && bounce && value === COMMISSION_VALUE && init === null;
  return isSame && body.equals(commissionBody(quote));
}
