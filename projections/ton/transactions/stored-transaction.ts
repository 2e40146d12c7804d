import { isBounce, type FinalStatus } from '../../../contracts/chain/ton-outcome';
import {
  endsOf,
  type TonMessageContent,
  type TonTransaction,
  type UnsentMessage,
} from '../../../contracts/chain/ton-transaction';
import type { VerifiedContracts } from '../../../contracts/chain/ton-verified-contracts';
import type { StoredTransaction } from '../../../contracts/http/history/stored-transaction';
import { meaningOf } from './operation';
import type { FormatAddress } from '../format-address';
import { storedMessage } from './stored-message';

/** A transaction, what is known of the contracts that it names, and what finally became of it. */
export interface TonHistoryTransaction extends TonTransaction, VerifiedContracts {
  readonly status: FinalStatus;
}

const valueOf = ({ info }: TonMessageContent): bigint => (info.type === 'internal' ? BigInt(info.value) : 0n);

/**
 * The messages that describe a transaction: what its owner sent, or when nothing of it was sent what the owner requested; of
 * an incoming one the message received.
 */
function subjectsOf({ direction, inMessage, outMessages, unsent }: TonTransaction): TonMessageContent[] {
  if (direction === 'in') return inMessage ? [inMessage] : [];
  const sent = outMessages.filter(({ info }) => info.type === 'internal');
  return sent.length > 0 ? sent : [...unsent];
}

/** Op 0 is a text comment, which may be empty. */
function bodyOf(message: TonMessageContent | undefined): StoredTransaction['parsed']['body'] {
  if (!message) return null;
  if (message.comment !== null) return { type: 'comment', comment: message.comment };
  return message.op === null || message.op === 0 ? null : { type: 'payload' };
}

/** What the receiver's refusal says of the message that came back. */
function bounceOf(tx: TonTransaction): Pick<StoredTransaction['parsed'], 'bounce'> {
  const bounce = isBounce(tx) ? tx.inMessage?.bounce : null;
  if (!bounce) return {};
  const { value, phase, exitCode } = bounce;
  return { bounce: { amount: value, phase, exitCode } };
}

function unsentOf(
  messages: readonly UnsentMessage[],
  format: FormatAddress,
): Pick<StoredTransaction, 'unsent'> {
  if (messages.length === 0) return {};
  return {
    unsent: messages.flatMap(({ info, comment, jetton }) => {
      if (info.type !== 'internal') return [];
      const text = comment ?? (jetton && 'comment' in jetton ? jetton.comment : null);
      return [{ dest: format(info.dest), amount: info.value, ...(text !== null && { comment: text }) }];
    }),
  };
}

/**
 * A transaction as wallets show it, described by its first message. The amount is the value that came in, or negated the
 * values that went out (or should have); without fees.
 */
export function storedTransaction(tx: TonHistoryTransaction, format: FormatAddress): StoredTransaction {
  const subjects = subjectsOf(tx);
  const [subject] = subjects;
  const [src, dest] = subject ? endsOf(subject) : [];
  const other = (tx.direction === 'out' ? dest : src) ?? tx.account;
  const bounced = isBounce(tx);
  const receiver = (tx.direction === 'out' ? dest : bounced ? src : undefined) ?? null;
  const value = subjects.map(valueOf).reduce((sum, each) => sum + each, 0n);
  const amount = (tx.direction === 'out' ? -value : value).toString();
  const { address, token, comment, op } = meaningOf(subject ?? null, tx);
  const messages = [...(tx.inMessage ? [tx.inMessage] : []), ...tx.outMessages, ...tx.unsent];
  const mentioned = new Set(messages.flatMap(endsOf).filter(party => party !== tx.account));
  return {
    address: format(tx.account),
    lt: tx.lt,
    hash: tx.hash,
    prevTransaction: { lt: tx.prev.lt, hash: tx.prev.hash },
    time: tx.time,
    outMessagesCount: tx.outMessages.length,
    oldStatus: tx.statusBefore,
    newStatus: tx.statusAfter,
    fees: tx.fees,
    update: { oldHash: tx.stateBefore, newHash: tx.stateAfter },
    inMessage: tx.inMessage && storedMessage(tx.inMessage, format),
    outMessages: tx.outMessages.map(message => storedMessage(message, format)),
    parsed: {
      seqno: tx.walletSeqno,
      body: bodyOf(subject),
      status: tx.status,
      dest: receiver === null ? null : format(receiver),
      kind: tx.direction,
      amount,
      resolvedAddress: format(other),
      bounced,
      ...bounceOf(tx),
      mentioned: [...mentioned].map(format),
    },
    operation: {
      address: format(address ?? other),
      ...(comment !== null && { comment }),
      items: [
        ...(token ? [{ kind: 'token' as const, amount: token.amount, master: format(token.master) }] : []),
        { kind: 'ton', amount },
      ],
      ...(op && { op }),
    },
    ...unsentOf(tx.unsent, format),
  };
}
