import request from 'supertest';
import type { ExchangeCurrency } from '../../contracts/http/exchange/market';
import {
  PartnerUnavailable,
  type ExchangePartner,
  type PartnerCall,
} from '../../contracts/ports/exchange-partner';
import { exchange, exchangeWith } from '../../infra/program/features/exchange';
import { startTestProgram, type TestProgram } from '../program';
import { until } from '../until';
import { openPartner, type TestPartner } from './partner';

/** The endpoints over the adapter and a double of the partner, which answers over HTTP. */

const HOUR_MS = 3_600_000;
const ESTIMATES_A_MINUTE = 60;

let opened: TestPartner;
let program: TestProgram;
/** What the program has for a partner. */
let partner: ExchangePartner;
const present = new Proxy({} as ExchangePartner, {
  get: (_, member) => Reflect.get(partner, member) as unknown,
});
/** The clock of the program: it moves by hand. */
let now = Date.UTC(2026, 0, 5, 12);

beforeAll(async () => {
  opened = await openPartner(
    { now: () => Date.UTC(2026, 0, 5, 12) },
    { requestsPerSecond: 1_000, backoffMs: 1, timeoutMs: 60_000 },
  );
  ({ partner } = opened);
  program = await startTestProgram({
    features: [exchangeWith({ open: async () => present })],
    settings: { RATE_LIMIT_EXCHANGE_ESTIMATES: String(ESTIMATES_A_MINUTE) },
    clients: { exchange: async () => present },
    clock: () => new Date(now),
    readWait: { waitMs: 250_000 },
  });
});
afterAll(async () => {
  await program?.stop();
  await opened?.close();
});
beforeEach(() => {
  ({ partner } = opened);
  now += 60_000;
});

function estimate(body: object, path = '/exchange/estimate') {
  return request(program.app).post(path).send(body);
}
async function listed(to: string, path = '/exchange/currencies'): Promise<ExchangeCurrency[]> {
  return (await request(program.app).get(`${path}?currencyTo=${to}`).expect(200)).body as ExchangeCurrency[];
}
const BTC = { fromCurrency: 'btc', toCurrency: 'ton', amount: '0.01' };
const asked = (): number => opened.double.calls().get('getExchangeAmount') ?? 0;

describe('currencies', () => {
  it.each(['ton', 'usdton', 'sol', 'usdcsol'])(
    'that can be exchanged for %s, as the app reads them',
    async to => {
      const currencies = await listed(to);
      expect(currencies.length).toBeGreaterThan(10);
      expect(currencies.map(({ ticker }) => ticker)).not.toContain(to);
      for (const currency of currencies) {
        expect(currency).toEqual({
          ticker: expect.any(String) as string,
          name: expect.any(String) as string,
          fullName: expect.any(String) as string,
          image: expect.any(String) as string,
          enabled: true,
          decimals: expect.any(Number) as number,
          blockchain: expect.any(String) as string,
          network: expect.any(String) as string,
          sandbox: true,
          ...('contractAddress' in currency && { contractAddress: expect.any(String) as string }),
        });
        expect(Object.values(currency)).not.toContain(null);
      }
      expect(await listed(to, '/changelly/currencies')).toEqual(currencies);
    },
  );

  it('are read once an hour, in the background', async () => {
    await listed('ton');
    const reads = (): number => opened.double.calls().get('getPairs') ?? 0;
    const before = reads();
    await listed('ton');
    expect(reads()).toBe(before);
    now += HOUR_MS + 60_000;
    await until(async () => {
      await listed('ton');
      return reads() > before;
    });
  });

  it('are served as they were read last while the partner is down', async () => {
    const before = await listed('sol');
    partner = unavailable();
    now += 100 * HOUR_MS;
    expect(await listed('sol')).toEqual(before);
  });

  it('of a double are not those of the partner', async () => {
    await listed('usdton');
    now += 1_000;
    partner = { ...opened.partner, sandbox: false };
    expect((await listed('usdton')).map(({ sandbox }) => sandbox)).not.toContain(true);
    now += 1_000;
    ({ partner } = opened);
    expect((await listed('usdton')).map(({ sandbox }) => sandbox)).not.toContain(false);
  });

  it.each(['', 'btc', 'TON', 'gram', '__proto__'])('for %j are refused, which names the field', async to => {
    const { status, body } = await request(program.app).get(`/exchange/currencies?currencyTo=${to}`);
    expect([status, body]).toMatchObject([400, { errors: [{ pointer: '/query/currencyTo' }] }]);
  });
});

describe('an estimate', () => {
  it.each(['/exchange/estimate', '/changelly/estimate'])(
    'of %s is what the app and the API read',
    async path => {
      const { status, body } = await estimate({ ...BTC, fromCurrency: 'BTC', amount: '00.0100' }, path);
      expect(status).toBe(200);
      const { id, jsonrpc, result, sandbox, ...flat } = body as Record<string, unknown>;
      expect([typeof id, jsonrpc, sandbox, result]).toEqual(['string', '2.0', true, [flat]]);
      const fields =
        'amountFrom amountTo networkFee from to rate min max minFrom maxFrom minTo maxTo visibleAmount fee';
      expect(Object.keys(flat).sort()).toEqual(fields.split(' ').sort());
      expect(Object.values(flat).every(value => typeof value === 'string')).toBe(true);
      expect(flat).toMatchObject({ from: 'btc', to: 'ton', amountFrom: '0.01', min: flat['minFrom'] });
    },
  );

  it('is asked for once by many at a time, and for some seconds', async () => {
    await listed('ton');
    const before = asked();
    await Promise.all(Array.from({ length: 20 }, () => estimate(BTC).expect(200)));
    await estimate({ ...BTC, amount: '0.0100' }).expect(200);
    expect(asked()).toBe(before + 1);
    await estimate({ ...BTC, amount: '0.011' }).expect(200);
    expect(asked()).toBe(before + 2);
    now += 5_001;
    await estimate(BTC).expect(200);
    expect(asked()).toBe(before + 3);
    // The clock is set back, and moves on.
    now -= HOUR_MS;
    await estimate(BTC).expect(200);
    now += 5_001;
    await estimate(BTC).expect(200);
    now += HOUR_MS;
    expect(asked()).toBe(before + 4);
  });

  it.each([
    ['0.00000001', 'minimal', 'minFrom'],
    ['1000000', 'maximal', 'maxFrom'],
  ])('of %s btc is a limit error: %s', async (amount, word, bound) => {
    const other = word === 'minimal' ? 'maximal' : 'minimal';
    const right = (await estimate(BTC).expect(200)).body as Record<string, string>;
    const before = asked();
    for (let times = 0; times < 2; times++) {
      const { status, body } = await estimate({ ...BTC, amount }, '/changelly/estimate');
      expect([status, body]).toMatchObject([
        400,
        {
          ok: false,
          code: 'exchange_limit',
          error: 'exchange_limit',
          message: expect.stringContaining(`${word} amount is ${right[bound]} btc`) as string,
          errors: [{ pointer: '/body/amount', code: 'exchange_limit' }],
          limits: {
            min: { from: right['minFrom'], to: right['minTo'] },
            max: { from: right['maxFrom'], to: right['maxTo'] },
          },
        },
      ]);
      expect((body as { message: string }).message).not.toContain(other.slice(0, 5));
    }
    // A refusal is an answer: it is cached as one.
    expect(asked()).toBe(before + 1);
  });

  it.each([
    ['an unknown currency', { fromCurrency: 'nonsense' }, 'fromCurrency'],
    ['a currency for itself', { fromCurrency: 'ton' }, 'fromCurrency'],
    ['a currency that the partner does not take', { fromCurrency: 'xmr' }, 'fromCurrency'],
    ['a currency with odd characters', { fromCurrency: '$ne' }, 'fromCurrency'],
    ['an object for a currency', { fromCurrency: { $ne: null } }, 'fromCurrency'],
    ['a currency that cannot be received', { toCurrency: 'btc' }, 'toCurrency'],
    ['no currency', { toCurrency: undefined }, 'toCurrency'],
    ['more decimals than the currency has', { amount: '0.010000001' }, 'amount'],
    ['zero', { amount: '0' }, 'amount'],
    ['zero with decimals', { amount: '0.000' }, 'amount'],
    ['less than zero', { amount: '-0.01' }, 'amount'],
    ['an enormous amount', { amount: '9'.repeat(21) }, 'amount'],
    ['an endless amount', { amount: `0.${'0'.repeat(60_000)}1` }, 'amount'],
    ['an exponent', { amount: '1e3' }, 'amount'],
    ['a comma', { amount: '0,01' }, 'amount'],
    ['infinity', { amount: 'Infinity' }, 'amount'],
    ['other digits', { amount: '٠.٠١' }, 'amount'],
    ['a number', { amount: 0.01 }, 'amount'],
    ['nothing', { amount: '' }, 'amount'],
    ['an array', { amount: ['0.01'] }, 'amount'],
  ])('of %s is refused, which names the field, and asks the partner nothing', async (_, wrong, field) => {
    await listed('ton');
    const before = asked();
    const { status, body } = await estimate({ ...BTC, ...wrong });
    expect([status, (body as { ok: boolean }).ok]).toEqual([400, false]);
    const { errors } = body as { errors: readonly { pointer: string }[] };
    expect(new Set(errors.map(({ pointer }) => pointer))).toEqual(new Set([`/body/${field}`]));
    expect(asked()).toBe(before);
  });

  it('is a 503 with Retry-After while the partner is down', async () => {
    await listed('ton');
    partner = unavailable();
    const { status, body, headers } = await estimate({ ...BTC, amount: '0.02' });
    expect([status, body]).toMatchObject([503, { code: 'exchange_unavailable', ok: false }]);
    expect(headers['retry-after']).toBe('7');
    ({ partner } = opened);
    await estimate({ ...BTC, amount: '0.02' }).expect(200);
  });

  it.each(['html', 'wrong-id', 'truncated', 'commit-then-drop', 'http-502', 'internal-error'] as const)(
    'is a 503 with Retry-After when the partner answers nonsense: %s',
    async fault => {
      await listed('ton');
      opened.double.failNext(fault, { method: 'getExchangeAmount', times: 2 });
      const { status, body, headers } = await estimate({ ...BTC, amount: '0.03' });
      expect([status, body]).toMatchObject([503, { code: 'exchange_unavailable' }]);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    },
  );
});

it('nothing can be exchanged where there is no partner', async () => {
  const { app, stop } = await startTestProgram({ features: [exchange] });
  const answers = [
    await request(app).get('/exchange/currencies?currencyTo=ton'),
    await request(app).post('/exchange/estimate').send(BTC),
  ];
  await stop();
  for (const { status, body } of answers)
    expect([status, body]).toMatchObject([503, { code: 'exchange_not_configured' }]);
});

it('one address reaches the partner so often a minute; what is cached costs nothing', async () => {
  await listed('ton');
  await estimate({ ...BTC, amount: '0.5' }).expect(200);
  const statuses: number[] = [];
  for (let call = 0; call <= ESTIMATES_A_MINUTE; call++)
    statuses.push((await estimate({ ...BTC, amount: `0.6${call}` })).status);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  const { status, headers } = await estimate({ ...BTC, amount: '0.7' });
  expect([status, Number(headers['retry-after']) > 0]).toEqual([429, true]);
  await estimate({ ...BTC, amount: '0.5' }).expect(200);
});

/** A partner that does not answer, and asks to be left alone for seven seconds. */
function unavailable(): ExchangePartner {
  const fail = async (..._: readonly (PartnerCall | object | string | number)[]): Promise<never> => {
    throw new PartnerUnavailable('HTTP 503', 6_500);
  };
  return {
    id: opened.partner.id,
    sandbox: true,
    currencies: fail,
    sourcesOf: fail,
    estimate: fail,
    createOrder: fail,
    orders: fail,
    ordersTo: fail,
  };
}
