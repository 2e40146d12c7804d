import { decodeSolanaMessage, SOLANA_TRANSACTIONS } from '../../../contracts/chain/solana';
import { decodeTonMessage, TON_TRANSACTIONS } from '../../../contracts/chain/ton';
import { sha256 } from '../../../contracts/encoding/sha256';
import { ATTEMPTS_FOR_A_WEEK, type NewJob } from '../../../contracts/ports/jobs';
import type { LogMessage } from '../../../contracts/ports/log';
import type { MessageReaction } from '../../reactions/message-reaction';
import type { PaymentJob } from './payment';
import { keyOf, type PaymentMethod } from './payment-method';
import { tonPayment } from './ton';

export const FEE_PAYMENTS = 'fee-payments';

/**
 * Starts a job for each transfer to an address of a payment method: on TON at once, since transactions are final; on
 * Solana when the block is final. The name contains a hash of the addresses, so that after a change of the addresses the
 * log is read from its beginning.
 */
export function feePaymentReaction(paymentMethods: readonly PaymentMethod[]): MessageReaction {
  const accounts = new Set(paymentMethods.map(keyOf));
  const chains = new Set(paymentMethods.map(({ chain }) => chain));
  const addressesHash = sha256([...accounts].sort().join())
    .toString('hex')
    .slice(0, 16);
  return {
    name: `fee-payments-${addressesHash}`,
    topics: [
      ...(chains.has('ton') ? [TON_TRANSACTIONS.name] : []),
      ...(chains.has('solana') ? [SOLANA_TRANSACTIONS.name] : []),
    ],
    from: 'beginning',
    jobs(message) {
      if (!accounts.has(message.key)) return [];
      const job = message.topic === TON_TRANSACTIONS.name ? ofTon(message) : ofSolana(message);
      return job ? [job] : [];
    },
  };
}

function ofTon({ value }: LogMessage): NewJob | null {
  const payment = tonPayment(decodeTonMessage(value));
  return payment && jobOf(`${payment.account}/${payment.transaction}`, { chain: 'ton', ...payment });
}

function ofSolana({ key, value }: LogMessage): NewJob | null {
  const message = decodeSolanaMessage(value);
  const isFinal =
    message.type === 'finalized' || (message.type === 'transaction' && message.finality === 'finalized');
  if (!isFinal) return null;
  const { network, account: address, signature, blockhash } = message;
  return jobOf(`${key}/${signature}/${blockhash}`, {
    chain: 'solana',
    network,
    address,
    signature,
    blockhash,
  });
}

const jobOf = (id: string, data: PaymentJob): NewJob => ({
  queue: FEE_PAYMENTS,
  id,
  data,
  attempts: ATTEMPTS_FOR_A_WEEK,
});
