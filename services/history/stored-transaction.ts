import type { TonMessage, TonTransaction } from '../../contracts/chain/ton-transaction';
import type { StoredTransaction } from '../../contracts/http/stored-transaction';
import { meaningOf } from './operation';
import type { FormatAddress } from './format-address';
import { storedMessage } from './stored-message';

const valueOf = ({ info }: TonMessage): bigint => (info.type === 'internal' ? BigInt(info.value) : 0n);

/** The value of the incoming message, or the negated value of the outgoing ones; without fees. */
function amountOf({ direction, inMessage, outMessages }: TonTransaction): bigint {
  if (direction === 'out') return -outMessages.map(valueOf).reduce((sum, value) => sum + value, 0n);
  return inMessage ? valueOf(inMessage) : 0n;
}

const partiesOf = ({ info }: TonMessage): string[] => (info.type === 'internal' ? [info.src, info.dest] : []);

function bodyOf(message: TonMessage | null): StoredTransaction['parsed']['body'] {
  if (!message) return null;
  if (message.comment !== null) return { type: 'comment', comment: message.comment };
  return message.op === null ? null : { type: 'payload' };
}

/** A transaction as wallets show it: described by its first outgoing message, or by the incoming one. */
export function storedTransaction(tx: TonTransaction, format: FormatAddress): StoredTransaction {
  const messages = [...(tx.inMessage ? [tx.inMessage] : []), ...tx.outMessages];
  const sent = tx.outMessages.find(({ info }) => info.type === 'internal') ?? null;
  const subject = tx.direction === 'out' ? sent : tx.inMessage;
  const [src, dest] = subject ? partiesOf(subject) : [];
  const other = (tx.direction === 'out' ? dest : src) ?? tx.account;
  const amount = amountOf(tx).toString();
  const { address, token, comment, op } = meaningOf(subject);
  const mentioned = new Set(messages.flatMap(partiesOf).filter(party => party !== tx.account));
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
      status: tx.success ? 'success' : 'failed',
      dest: tx.direction === 'out' && dest ? format(dest) : null,
      kind: tx.direction,
      amount,
      resolvedAddress: format(other),
      bounced: tx.inMessage?.info.type === 'internal' && tx.inMessage.info.bounced,
      mentioned: [...mentioned].map(format),
    },
    operation: {
      address: format(address ?? other),
      ...(comment !== null && { comment }),
      items: [
        ...(token === null ? [] : [{ kind: 'token' as const, amount: token }]),
        { kind: 'ton', amount },
      ],
      ...(op && { op }),
    },
  };
}
