import { PartnerRefused } from '../../../contracts/ports/exchange-partner';
import { commissionOf, MalformedAmount } from './commission';
import { valueOf } from './valuation';

const FINISHED = { amountTo: '309.5', networkFee: '0.25', totalFee: '0.25', apiExtraFee: '0.40' };

describe('the commission of a finished order', () => {
  it('is a percentage of what was bought before fees', () => {
    expect(commissionOf(FINISHED)).toEqual({
      payout: '310.00',
      rate: '0.004',
      amount: '1.24',
      rounded: [],
    });
  });

  it('is exact for currencies of 18 decimals', () => {
    const amountTo = '0.000000000000000049';
    expect(
      commissionOf({ ...FINISHED, amountTo, networkFee: '0', totalFee: '0.000000000000000001' }),
    ).toEqual({
      payout: '0.00000000000000005',
      rate: '0.004',
      // 2 × 10^-19, rounded half to even.
      amount: '0.00',
      rounded: [],
    });
  });

  it('is made of rounded amounts, which it names, where they have more decimals', () => {
    expect(commissionOf({ ...FINISHED, amountTo: '309.5000000000000000005', totalFee: '2.5E-1' })).toEqual({
      payout: '310.00',
      rate: '0.004',
      amount: '1.24',
      rounded: ['amountTo'],
    });
  });

  it('counts a fee that was given back', () => {
    expect(commissionOf({ ...FINISHED, totalFee: '-0.25' })).toMatchObject({
      payout: '309.50',
      amount: '1.238',
    });
  });

  it.each(['amountTo', 'networkFee', 'totalFee', 'apiExtraFee'] as const)(
    'is not known before the partner says %s',
    field => expect(commissionOf({ ...FINISHED, [field]: null })).toBeNull(),
  );

  it.each(['', '-1000', '-', 'NaN', '1'.repeat(41), '0.4%'])('is not made of %j', text => {
    expect(() => commissionOf({ ...FINISHED, totalFee: text })).toThrow(MalformedAmount);
  });
});

describe('its value', () => {
  const { signal } = new AbortController();
  const limits = { minFrom: '5', maxFrom: '1000', minTo: null, maxTo: null };
  const asked: string[] = [];
  const partner = (refuse: (amount: number) => PartnerRefused | null = () => null) => ({
    async estimate(_: unknown, amountFrom: string) {
      asked.push(amountFrom);
      const refusal = refuse(Number(amountFrom));
      if (refusal) throw refusal;
      return { rate: '5.12345678901234567890' } as never;
    },
  });
  beforeEach(() => (asked.length = 0));

  it('is that of the partner', async () => {
    expect(await valueOf(partner(), '310.00', { from: 'ton', to: 'usdton' }, signal)).toBe('1588.271605');
    expect(asked).toEqual(['310.00']);
  });

  it('is the amount itself in a currency of the same worth', async () => {
    expect(await valueOf(partner(), '1.0000005', { from: 'usdton', to: 'usdton' }, signal)).toBe('1.00');
    expect(asked).toEqual([]);
  });

  it('is that of the nearest amount that the partner exchanges', async () => {
    const low = (amount: number) => (amount < 5 ? new PartnerRefused('amount_too_low', 'low', limits) : null);
    expect(await valueOf(partner(low), '1', { from: 'ton', to: 'usdton' }, signal)).toBe('5.123457');
    const high = (amount: number) =>
      amount > 1_000 ? new PartnerRefused('amount_too_high', 'high', limits) : null;
    expect(await valueOf(partner(high), '2000', { from: 'ton', to: 'usdton' }, signal)).toBe('10246.913578');
    expect(asked).toEqual(['1', '5', '2000', '1000']);
  });

  it('is not guessed when the partner does not exchange the currency', async () => {
    const refused = () => new PartnerRefused('currency_unavailable', 'disabled');
    await expect(valueOf(partner(refused), '1', { from: 'ton', to: 'usdton' }, signal)).rejects.toThrow(
      'disabled',
    );
  });
});
