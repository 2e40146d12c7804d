import { history } from '../../../test/contracts/builders';
import { CARD_ACCOUNT_SAMPLES } from '../../../test/events/samples/card-account';
import { cardEarnings } from './earnings';

const earned = (type: string, currency: string, change: object = {}) => {
  const data = { ...CARD_ACCOUNT_SAMPLES[type]![0]!.data, ...change };
  const [recorded] = history(['cardAccount-1', { type, data }]);
  return cardEarnings(currency).earned(recorded!);
};
const fee = {
  source: 'card',
  reference: '5b1d7c0a-3c55-5d1f-8b6e-6f1f0a2b3c4d/webhook-2',
  merchant: { id: 'card-issuer', name: 'Card issuer', slug: 'card-issuer' },
  fee_type: 'interchange',
  fee_amount: '0.25',
  gross_amount: '25.00',
  earnedAt: '2026-11-23T12:00:00.000Z',
};

it('a clearing earns a fee, which is waived when the purchase is given back', () => {
  expect(earned('CardPurchaseCleared', 'EUR')).toEqual([{ ...fee, status: 'pending' }]);
  expect(earned('CardPurchaseRefunded', 'EUR')).toEqual([{ ...fee, status: 'waived' }]);
  expect(earned('CardPurchaseChargedBack', 'EUR')).toEqual([]);
  expect(earned('CardPurchaseAuthorised', 'EUR')).toBeNull();
});

it('a ledger has no fees of another currency', () => {
  for (const type of ['CardPurchaseCleared', 'CardPurchaseRefunded']) expect(earned(type, 'USD')).toEqual([]);
});

it('amounts have the decimals of their currency', () => {
  const yen = { entryId: 'c', amount: '7', gross: '400', currency: 'JPY', at: fee.earnedAt };
  expect(earned('CardPurchaseCleared', 'JPY', { earned: yen })).toMatchObject([
    { fee_amount: '7.00', gross_amount: '400.00' },
  ]);
  const dinar = { ...yen, currency: 'KWD', gross: '1250' };
  expect(earned('CardPurchaseCleared', 'KWD', { earned: dinar })).toMatchObject([
    { fee_amount: '0.007', gross_amount: '1.25' },
  ]);
});
