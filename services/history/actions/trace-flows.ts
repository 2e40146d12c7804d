import type { TonTrace, TraceMessage } from '../../../contracts/chain/ton-trace';
import type { TonTransaction } from '../../../contracts/chain/ton-transaction';

const sum = (amounts: readonly string[]): bigint =>
  amounts.reduce((total, amount) => total + BigInt(amount), 0n);

/** Nanotons of a message that did not come back to its sender; negative when more came back. */
export function retained(message: TraceMessage, followed: readonly TraceMessage[]): bigint {
  const account = message.src;
  const returned = followed.filter(({ dest, transaction }) => dest === account && transaction !== null);
  const sent = followed.filter(({ src }) => src === account);
  return sum(sent.map(({ value }) => value)) - sum(returned.map(({ value }) => value));
}

/** Fees of a transaction and of the delivery of what it sent. */
export function ownFees({ fees, outMessages }: TonTransaction): bigint {
  return sum([fees, ...outMessages.flatMap(({ info }) => (info.type === 'internal' ? [info.fwdFee] : []))]);
}

/** As `ownFees`, of the account's own transactions below the one of the trace. */
export function memberFees(account: string, { messages }: TonTrace): bigint {
  return sum(
    messages.flatMap(({ parent, src, dest, fwdFee, transaction }) => [
      ...(parent !== null && src === account ? [fwdFee] : []),
      ...(dest === account && transaction ? [transaction.fees] : []),
    ]),
  );
}
