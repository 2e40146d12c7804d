import type { CardEventView } from '../../../../contracts/http/card/accounts';
import { describeEvent } from './describe-event';

const ACCOUNTS = [
  { id: 'ton', cryptoCurrency: { decimals: 9, ticker: 'TON' }, cards: [{ id: 'card' }] },
  { id: 'solana', cryptoCurrency: { decimals: 9, ticker: 'SOL' }, cards: [] },
];
const PURCHASE = {
  accountId: 'ton',
  amount: '3000000000',
  currency: 'USD',
  currencyAmount: '9.00',
  txnCurrency: 'EUR',
  txnCurrencyAmount: '8.10',
  ref: 'purchase-1',
  merchantInfo: { dirtyName: '<b>COFFEE</b>' },
};

const described = (event: Pick<CardEventView, 'type' | 'data'>): string =>
  describeEvent({ id: '1', cardId: 'card', time: 0, ...event } as CardEventView, ACCOUNTS);

it('shows the three amounts of a purchase, its merchant, and why it was refused', () => {
  expect(described({ type: 'charge', data: PURCHASE })).toBe('8.10 EUR at <b>COFFEE</b> (9.00 USD, 3 TON)');
  const reason = { type: 'limit_exceeded', limit: 'daily' } as const;
  expect(described({ type: 'charge_failed', data: { ...PURCHASE, reason } as never })).toBe(
    '8.10 EUR at <b>COFFEE</b> (9.00 USD, 3 TON) refused: limit_exceeded, daily',
  );
});

it('writes amounts in the currency of the account, that of the card where no other is named', () => {
  expect(described({ type: 'deposit', data: { accountId: 'solana', amount: '1' } })).toBe('0.000000001 SOL');
  expect(described({ type: 'card_paid', data: { amount: '500000000' } })).toBe('0.5 TON');
  expect(described({ type: 'deposit', data: { accountId: 'unknown', amount: '7' } })).toBe('7 units');
});
