import {
  EVM_ADDRESS,
  PAYOUT,
  START,
  steppedDouble,
  type SteppedDouble,
} from '../../../test/devnet/changelly';

let stepped: SteppedDouble;
beforeAll(async () => {
  stepped = await steppedDouble();
});
afterAll(() => stepped.double.close());

const errorOf = async (method: string, params: unknown) => (await stepped.call(method, params)).json.error;

describe('currencies and pairs', () => {
  it('names what is disabled, its tag and its decimals', async () => {
    const all = await stepped.result('getCurrenciesFull', {});
    const of = (ticker: string) => all.find(currency => currency.ticker === ticker);
    expect(of('usdton')).toEqual({
      name: 'USDT',
      ticker: 'usdton',
      fullName: 'Tether USD (TON)',
      enabled: true,
      enabledFrom: true,
      enabledTo: true,
      fixRateEnabled: true,
      payinConfirmations: 10,
      addressUrl: 'https://changelly.com/explorer/ton/address/%1$s',
      transactionUrl: 'https://changelly.com/explorer/ton/%1$s',
      image: 'https://cdn.changelly.com/icons/usdton.png',
      fixedTime: 1_200_000,
      contractAddress: PAYOUT,
      protocol: 'TON',
      blockchain: 'ton',
      blockchainPrecision: 6,
    });
    expect(of('xrp')).toMatchObject({ extraIdName: 'Destination Tag' });
    expect(of('btc')).not.toHaveProperty('extraIdName');
    expect(of('btc')).not.toHaveProperty('contractAddress');
    expect(of('xmr')).toMatchObject({ enabled: false });
  });

  it('pairs leave out what cannot be paid in or out, or has no fixed rate', async () => {
    const to = await stepped.result('getPairs', { to: 'ton' });
    const sources = to.map(({ from }) => from);
    expect(sources).toEqual(expect.arrayContaining(['btc', 'eth', 'bch', 'doge', 'usdton', 'sol']));
    for (const ticker of ['ton', 'xmr', 'pol']) expect(sources).not.toContain(ticker);
    const from = await stepped.result('getPairs', { from: 'btc', txType: 'fixed' });
    for (const ticker of ['bch', 'doge', 'xmr']) expect(from).not.toContainEqual({ from: 'btc', to: ticker });
    expect(await errorOf('getPairs', { to: 'tron' })).toEqual({
      code: -32602,
      message: 'Invalid currency: tron not found',
    });
  });
});

describe('estimates', () => {
  const limits = {
    max: { from: '2.57068', to: '82448.104859846' },
    min: { from: '0.000155', to: '4.971235723' },
  };

  it.each([
    ['0', 'Minimal amount is 0.000155'],
    ['0.000154', 'Minimal amount is 0.000155'],
    ['2.57068001', 'Maximum amount is 2.57068'],
    ['9'.repeat(30), 'Maximum amount is 2.57068'],
  ])('of %s btc has the error with the limits', async (amountFrom, expected) => {
    expect(await errorOf('getExchangeAmount', { from: 'btc', to: 'ton', amountFrom })).toEqual({
      code: -32600,
      message: `Invalid amount for pair btc->ton. ${expected} btc`,
      data: { limits },
    });
  });

  it('can leave the limits to getPairsParams', async () => {
    const bare = await steppedDouble({ limitsInErrors: false });
    const { json } = await bare.call('getExchangeAmount', { from: 'btc', to: 'ton', amountFrom: '9' });
    expect(json.error).not.toHaveProperty('data');
    expect(await bare.result('getPairsParams', [{ from: 'btc', to: 'ton' }])).toEqual([
      {
        from: 'btc',
        to: 'ton',
        minAmountFloat: limits.min.from,
        maxAmountFloat: limits.max.from,
        minAmountFixed: '0.000258',
        maxAmountFixed: '1.028272',
      },
    ]);
    await bare.double.close();
  });

  it.each([
    [{ from: 'xmr' }, 'Invalid currency: xmr temporary disabled'],
    [{ from: 'pol' }, 'Invalid currency: pol is temporary disabled on API as input currency'],
    [{ to: 'bch' }, 'Invalid currency: bch is temporary disabled on API as output currency'],
    [{ to: 'nothing' }, 'Invalid currency: nothing not found'],
    [{ to: 'btc' }, 'Parameter to is invalid'],
    [{ amountFrom: 1 }, 'Parameter amountFrom is invalid'],
    [{ amountFrom: '-1' }, 'Parameter amountFrom is invalid'],
    [{ amountFrom: '1e-2' }, 'Parameter amountFrom is invalid'],
    [{ amountFrom: '0.123456789' }, 'Parameter amountFrom is invalid'],
    [{ amount: '1' }, 'Parameter amount is invalid'],
    [{ from: undefined }, 'Parameter from is invalid'],
  ])('an object with %j has its error, and an array leaves the pair out', async (change, message) => {
    const wrong = { from: 'btc', to: 'ton', amountFrom: '0.01', ...change };
    expect(await errorOf('getExchangeAmount', wrong)).toEqual({ code: -32602, message });
  });

  it('an array leaves out the pairs that have no answer', async () => {
    const pair = (from: string, amountFrom: string) => ({ from, to: 'ton', amountFrom });
    const given = [pair('xmr', '1'), pair('btc', '0.01'), pair('nothing', '1'), pair('btc', '9')];
    const answers = await stepped.result('getExchangeAmount', given);
    expect(answers.map(({ from, amountFrom }) => [from, amountFrom])).toEqual([['btc', '0.01']]);
    expect(await stepped.result('getExchangeAmount', [pair('xmr', '1')])).toEqual([]);
  });
});

describe('fixed rates', () => {
  const pair = { from: 'eth', to: 'usdton' };
  const rateFor = async (amount: object) =>
    (await stepped.result('getFixRateForAmount', { ...pair, ...amount }))[0]!;
  const order = { ...pair, address: PAYOUT, refundAddress: EVM_ADDRESS };
  const expired = {
    code: -32602,
    message:
      'Error: rateId was expired or already used. Use method getFixRateForAmount to generate new rateId',
  };

  it('a rate is for one order, of the amount that it was promised for', async () => {
    const rate = await rateFor({ amountFrom: '1' });
    expect(rate.expiredAt).toBe(START / 1_000 + 60);
    const created = await stepped.result('createFixTransaction', {
      ...order,
      rateId: rate.id,
      amountFrom: '1.0',
    });
    expect(created).toMatchObject({
      type: 'fixed',
      amountExpectedFrom: '1.000000000000000000',
      amountExpectedTo: rate.amountTo,
    });
    expect(await errorOf('createFixTransaction', { ...order, rateId: rate.id, amountFrom: '1' })).toEqual(
      expired,
    );
  });

  it('an amount to receive is met to the unit', async () => {
    const rate = await rateFor({ amountTo: '1000.000001' });
    expect(rate.amountTo).toBe('1000.000001');
    const { id } = await stepped.result('createFixTransaction', {
      ...order,
      rateId: rate.id,
      amountTo: '1000.000001',
    });
    stepped.advance(300);
    const [finished] = await stepped.result('getTransactions', { id });
    // The network fee is 0.15.
    expect(finished).toMatchObject({ amountFrom: rate.amountFrom, amountTo: '999.850001' });
  });

  it('a rate of another pair or amount, or a minute old, is refused', async () => {
    const other = await rateFor({ amountFrom: '1' });
    expect(await errorOf('createFixTransaction', { ...order, rateId: other.id, amountFrom: '2' })).toEqual(
      expired,
    );
    const old = await rateFor({ amountFrom: '1' });
    stepped.advance(60);
    expect(await errorOf('createFixTransaction', { ...order, rateId: old.id, amountFrom: '1' })).toEqual(
      expired,
    );
  });

  it.each([[{}], [{ amountFrom: '1', amountTo: '1' }]])('%j is not one amount', async amounts => {
    expect((await errorOf('getFixRateForAmount', { ...pair, ...amounts }))?.code).toBe(-32602);
  });

  it('needs a valid address for a refund', async () => {
    const rate = await rateFor({ amountFrom: '1' });
    const wrong = { ...order, rateId: rate.id, amountFrom: '1', refundAddress: PAYOUT };
    expect(await errorOf('createFixTransaction', wrong)).toEqual({
      code: -32602,
      message: 'Error: Invalid refund address',
    });
  });

  it('are not for every currency', async () => {
    expect(await errorOf('getFixRateForAmount', { from: 'doge', to: 'ton', amountFrom: '100' })).toEqual({
      code: -32602,
      message: 'Invalid currency: doge temporary disabled for fix rate transactions',
    });
  });
});

describe('orders', () => {
  const order = { from: 'btc', to: 'ton', amountFrom: '0.01', address: PAYOUT };

  it.each([
    [{ amountFrom: '9' }, -32602, 'Not enough liquidity in pair btc->ton. Max amount is 2.57068 btc.'],
    [{ amountFrom: '0.0001' }, -32600, 'Invalid amount for pair btc->ton. Minimal amount is 0.000155 btc'],
    [{ address: `${PAYOUT.slice(0, -1)}t` }, -32602, 'Error: Invalid address'],
    [{ to: 'sol' }, -32602, 'Error: Invalid address'],
    [{ address: undefined }, -32602, 'Parameter address is invalid'],
    [{ refundAdress: 'x' }, -32602, 'Parameter refundAdress is invalid'],
    [{ from: 'xmr' }, -32602, 'Invalid currency: xmr temporary disabled'],
  ])('one with %j is refused', async (change, code, message) => {
    expect(await errorOf('createTransaction', { ...order, ...change })).toMatchObject({ code, message });
  });

  it('are refused beyond a number, for nothing grows without a bound', async () => {
    const full = await steppedDouble({ maxOrders: 1 });
    await full.result('createTransaction', order);
    expect((await full.call('createTransaction', order)).json.error).toEqual({
      code: -32603,
      message: 'An error encountered during address generation. Please try again later.',
    });
    await full.double.close();
  });

  it.each([
    ['ton', PAYOUT, true],
    ['ton', EVM_ADDRESS, false],
    ['eth', EVM_ADDRESS, true],
    ['sol', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', true],
    ['sol', 'x'.repeat(200), false],
  ])('an address for %s is checked: %s', async (currency, address, isValid) => {
    expect(await stepped.result('validateAddress', { currency, address })).toEqual(
      isValid ? { result: true } : { result: false, message: 'Invalid address' },
    );
  });
});

describe('lists of orders', () => {
  let listed: SteppedDouble;
  const ids: string[] = [];
  const idsOf = async (params: object) =>
    (await listed.result('getTransactions', params)).map(({ id }) => id);

  beforeAll(async () => {
    listed = await steppedDouble();
    for (let count = 0; count < 12; count++) {
      const from = count % 2 === 0 ? 'btc' : 'ltc';
      const { id } = await listed.result('createTransaction', {
        from,
        to: 'ton',
        amountFrom: '1',
        address: PAYOUT,
      });
      ids.unshift(id);
      listed.advance(10);
    }
  });
  afterAll(() => listed.double.close());

  it('have the newest ten, and more on further pages', async () => {
    expect(await idsOf({})).toEqual(ids.slice(0, 10));
    expect(await idsOf({ limit: 3, offset: 2 })).toEqual(ids.slice(2, 5));
    expect(await idsOf({ limit: 100 })).toEqual(ids);
    expect(await idsOf({ offset: 12 })).toEqual([]);
  });

  it('are of one id, of several, of none that is unknown', async () => {
    expect(await idsOf({ id: ids[4] })).toEqual([ids[4]]);
    expect(await idsOf({ id: [ids[9], 'unknown', ids[4]] })).toEqual([ids[4], ids[9]]);
    expect(await idsOf({ id: 'unknown' })).toEqual([]);
  });

  it('are of a currency, an address, a status, and since a time in microseconds', async () => {
    expect(await idsOf({ currency: 'ltc', payoutAddress: PAYOUT, limit: 100 })).toEqual(
      ids.filter((_id, at) => at % 2 === 0),
    );
    expect(await idsOf({ payoutAddress: 'another' })).toEqual([]);
    const [third] = await listed.result('getTransactions', { id: ids[2] });
    expect(await idsOf({ address: third!.payinAddress })).toEqual([ids[2]]);
    expect(await idsOf({ since: third!.createdAt })).toEqual(ids.slice(0, 3));
    // The newest five were created within the last minute.
    expect(await idsOf({ status: 'waiting' })).toEqual(ids.slice(0, 5));
  });

  it.each([
    [{ limit: 101 }, 'limit'],
    [{ limit: 0 }, 'limit'],
    [{ offset: -1 }, 'offset'],
    [{ since: 1_700_000_000 }, 'since'],
    [{ since: 1_700_000_000_000 }, 'since'],
    [{ id: Array.from({ length: 11 }, (_none, at) => `${at}`) }, 'id'],
    [{ id: [] }, 'id'],
    [{ payoutAddress: 7 }, 'payoutAddress'],
  ])('%j is refused', async (params, name) => {
    expect(await errorOf('getTransactions', params)).toEqual({
      code: -32602,
      message: `Parameter ${name} is invalid`,
    });
  });

  it('the status of an unknown order is an error', async () => {
    expect((await errorOf('getStatus', { id: 'unknown' }))?.code).toBe(-32602);
  });
});
