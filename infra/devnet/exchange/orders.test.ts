import fc from 'fast-check';
import { PAYOUT, START, steppedDouble, type SteppedDouble } from '../../../test/devnet/changelly';
import { runs } from '../../../test/random';
import { temporaryFolder } from '../../../test/temporary-folder';
import { isAddress, payinAddress } from './addresses';
import { currencies, currencyOf } from './currencies';
import { formatUnits } from '../../../contracts/money/decimal';
import { parseUnits } from './decimal';
import { limitsOf } from './quote';
import { pairs } from './pairs';

let stepped: SteppedDouble;
beforeEach(async () => {
  stepped = await steppedDouble();
});
afterEach(() => stepped.double.close());

const ORDER = { from: 'btc', to: 'ton', amountFrom: '0.01', address: PAYOUT };

it('an order goes from an estimate to its payout', async () => {
  const [estimate] = await stepped.result('getExchangeAmount', {
    from: 'btc',
    to: 'ton',
    amountFrom: '0.01',
  });
  expect(estimate).toEqual({
    from: 'btc',
    to: 'ton',
    amountFrom: '0.01',
    // 0.01 × 97250.5 / 3.0125, rounded down, and 0.65 percent of it, rounded up.
    visibleAmount: '322.823236514',
    fee: '2.098351038',
    amountTo: '320.724885476',
    networkFee: '0.010000000',
    rate: '32282.32365145228215767634',
    min: '0.000155',
    minFrom: '0.000155',
    minTo: '4.971235723',
    max: '2.57068',
    maxFrom: '2.57068',
    maxTo: '82448.104859846',
  });

  const created = await stepped.result('createTransaction', { ...ORDER, refundAddress: 'anything' });
  expect(created).toMatchObject({
    type: 'float',
    status: 'new',
    currencyFrom: 'btc',
    currencyTo: 'ton',
    amountExpectedFrom: '0.01',
    amountExpectedTo: estimate!.amountTo,
    networkFee: '0.010000000',
    payoutAddress: PAYOUT,
    refundAddress: 'anything',
    payinExtraId: null,
    createdAt: START * 1_000,
  });
  const read = async () => (await stepped.result('getTransactions', { id: created.id }))[0]!;
  expect(await read()).toMatchObject({
    status: 'waiting',
    amountFrom: '',
    amountTo: '0',
    totalFee: null,
    moneyReceived: 0,
    moneySent: 0,
    payinHash: null,
    payoutHash: null,
    payinConfirmations: '0',
  });
  stepped.advance(60);
  const paid = { amountFrom: '0.01', payinHash: expect.stringMatching(/^[0-9a-f]{64}$/), totalFee: null };
  const receivedAt = (START + 60_000) * 1_000;
  expect(await read()).toMatchObject({
    ...paid,
    status: 'confirming',
    payinConfirmations: '1',
    moneyReceived: receivedAt,
  });
  stepped.advance(120);
  expect(await read()).toMatchObject({ ...paid, status: 'exchanging', payoutHash: null });
  stepped.advance(60);
  expect(await read()).toMatchObject({
    ...paid,
    status: 'sending',
    payoutHash: expect.any(String),
    amountTo: '0',
  });
  stepped.advance(60);
  expect(await read()).toMatchObject({
    status: 'finished',
    amountFrom: '0.01',
    amountTo: '320.714885476',
    totalFee: '2.098351038',
    apiExtraFee: '0.40',
    changellyFee: '0.25',
    moneySent: (START + 300_000) * 1_000,
  });
  expect(await stepped.result('getStatus', { id: created.id })).toBe('finished');
});

it('no unit is lost from the estimate over the order to the payout', async () => {
  const offered = pairs('float').filter(({ to }) => ['ton', 'usdton', 'sol', 'usdcsol'].includes(to.ticker));
  const solana = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...offered).chain(({ from, to }) => {
        const { min, max } = limitsOf(from, to, 'float');
        return fc.record({
          from: fc.constant(from),
          to: fc.constant(to),
          units: fc.bigInt({ min: min.amountFrom, max: max.amountFrom }),
        });
      }),
      async ({ from, to, units }) => {
        const pair = { from: from.ticker, to: to.ticker, amountFrom: formatUnits(units, from.decimals) };
        const inUnits = (text: string): bigint => parseUnits(text, to.decimals)!;
        const [estimate] = await stepped.result('getExchangeAmount', pair);
        const { id, amountExpectedTo } = await stepped.result('createTransaction', {
          ...pair,
          address: to.blockchain === 'ton' ? PAYOUT : solana,
          userMetadata: '{"scenario":"happy"}',
        });
        stepped.advance(300);
        const sent = (await stepped.result('getTransactions', { id }))[0]!;
        expect(sent).toMatchObject({ status: 'finished', amountFrom: pair.amountFrom });
        const { visibleAmount, fee, amountTo } = estimate!;
        expect(inUnits(visibleAmount)).toBe(
          (units * from.price * 10n ** BigInt(to.decimals)) / (to.price * 10n ** BigInt(from.decimals)),
        );
        expect(inUnits(amountTo) + inUnits(fee)).toBe(inUnits(visibleAmount));
        expect(amountExpectedTo).toBe(amountTo);
        expect(inUnits(sent.amountTo) + inUnits(sent.networkFee) + inUnits(sent.totalFee!)).toBe(
          inUnits(visibleAmount),
        );
      },
    ),
    runs(60),
  );
});

describe('addresses for payments', () => {
  const chains = currencies().filter(({ enabled }) => enabled);

  it.each(chains.map(({ ticker }) => ticker))('nobody can send %s to one', ticker => {
    const { addressFormat } = currencyOf(ticker)!;
    for (let seed = 0; seed < 200; seed++) {
      const address = payinAddress(addressFormat, `${seed}`);
      expect(isAddress(addressFormat, address)).toBe(false);
    }
  });

  it('differ from order to order, and have a tag where the chain needs one', async () => {
    const xrp = { ...ORDER, from: 'xrp', amountFrom: '100' };
    const orders = [
      await stepped.result('createTransaction', xrp),
      await stepped.result('createTransaction', xrp),
    ];
    expect(new Set(orders.map(order => order.payinAddress)).size).toBe(2);
    for (const order of orders) expect(order.payinExtraId).toMatch(/^\d+$/);
    const [shown] = await stepped.result('getTransactions', { id: orders[0]!.id });
    expect(shown?.payinExtraIdName).toBe('Destination Tag');
  });

  it('real ones are accepted for a payout', () => {
    expect(isAddress('bitcoin', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2')).toBe(true);
    expect(isAddress('tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')).toBe(true);
    expect(isAddress('ripple', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh')).toBe(true);
    expect(isAddress('evm', '0xdAC17F958D2ee523a2206206994597C13D831ec7')).toBe(true);
    expect(isAddress('evm', '0xDAC17F958D2ee523a2206206994597C13D831ec7')).toBe(false);
    expect(isAddress('ton', PAYOUT)).toBe(true);
  });
});

it('orders survive a restart when they are kept in a folder', async () => {
  const dataDir = temporaryFolder();
  const before = await steppedDouble({ dataDir });
  const { id } = await before.result('createTransaction', ORDER);
  const kept = before.double.orders();
  await before.double.close();
  const after = await steppedDouble({ dataDir });
  expect(after.double.orders()).toEqual(kept);
  after.advance(300);
  expect(await after.result('getStatus', { id })).toBe('finished');
  await after.double.close();
});
