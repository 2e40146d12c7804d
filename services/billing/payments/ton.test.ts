import { TON_MESSAGE_VERSION, type TonTransactionMessage } from '../../../contracts/chain/ton';
import type { TonTransaction } from '../../../contracts/chain/ton-transaction';
import { tonPayment } from './ton';

const [PAYEE, PAYER] = [`0:${'aa'.repeat(32)}`, `0:${'bb'.repeat(32)}`];

/** A record of coins with a comment that the contract of the account did nothing with. */
const record = (sent: readonly object[]): TonTransactionMessage => {
  const info = { type: 'internal', src: PAYER, dest: PAYEE, value: '1000', bounced: false };
  const inMessage = { info, jetton: null, comment: ' fee-7 ' };
  const transaction = { success: false, direction: 'in', inMessage, outMessages: sent };
  return {
    type: 'transaction',
    version: TON_MESSAGE_VERSION,
    network: 'mainnet',
    account: PAYEE,
    lt: '5',
    hash: 'hash',
    time: 1,
    origin: 'tail',
    seqno: null,
    prev: { lt: '0', hash: '' },
    decoder: 1,
    jettonWallets: {},
    raw: '',
    transaction: transaction as unknown as TonTransaction,
  };
};

it('is a payment when the account kept the coins, whatever its contract did', () => {
  expect(tonPayment(record([]))).toMatchObject({ asset: 'native', amount: '1000', memo: 'fee-7' });
});

it('is none when they were sent back', () => {
  expect(tonPayment(record([{ info: { type: 'internal', bounced: true } }]))).toBeNull();
});
