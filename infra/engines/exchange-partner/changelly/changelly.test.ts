import { createHash, generateKeyPairSync, verify, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino, type Logger } from 'pino';
import {
  PartnerOutcomeUnknown,
  PartnerRefused,
  PartnerUnavailable,
  type ExchangePartner,
  type NewPartnerOrder,
  type PartnerCall,
} from '../../../../contracts/ports/exchange-partner';
import { FAULTS, type Fault } from '../../../devnet/exchange/faults';
import type { MethodName } from '../../../devnet/exchange/methods';
import { steppedDouble, type SteppedDouble } from '../../../../test/devnet/changelly';
import * as registered from '../../../../test/devnet/changelly';
import { until } from '../../../../test/until';
import { createChangelly } from './changelly';
import { createSigner } from './signer';

const { privateKey } = registered;
const logger = pino({ level: 'silent' });
const user: PartnerCall = { priority: 'order', signal: new AbortController().signal };
const TIMEOUT_MS = 60_000;
const PAYOUT = 'UQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB5-k';
const ORDER: NewPartnerOrder = {
  from: 'btc',
  to: 'ton',
  amountFrom: '0.01',
  payoutAddress: PAYOUT,
  refundAddress: null,
};

type Adapter = ReturnType<typeof createChangelly>;
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

function adapter(
  url: string,
  options: { key?: KeyObject; timeoutMs?: number; maxBytes?: number; perSecond?: number; log?: Logger } = {},
): Adapter {
  const { key = privateKey, timeoutMs = TIMEOUT_MS, maxBytes = 1_000_000 } = options;
  const { perSecond = 1_000, log = logger } = options;
  const created = createChangelly({
    url,
    signer: createSigner(key),
    sandbox: true,
    requestsPerSecond: perSecond,
    logger: log,
    backoffMs: 1,
    timeoutMs,
    maxBytes,
  });
  opened.push(created);
  return created;
}

async function withDouble(
  options: Parameters<typeof steppedDouble>[0] = {},
  own: Parameters<typeof adapter>[1] = {},
): Promise<SteppedDouble & { partner: ExchangePartner }> {
  const stepped = await steppedDouble({ slowMs: 600_000, hugeBytes: 2_000_000, ...options });
  opened.push(stepped.double);
  return { ...stepped, partner: adapter(stepped.double.url, own) };
}

/** A server that answers everything in one way, given the id of the request. */
async function answering(
  respond: (id: string, request: IncomingMessage & { body: Buffer }, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const { id } = JSON.parse(body.toString()) as { id: string };
      respond(id, Object.assign(request, { body }), response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push({
    async close() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`;
}
const answeringJson = (answer: (id: string) => object | string): Promise<string> =>
  answering((id, _request, response) => {
    const given = answer(id);
    response.end(typeof given === 'string' ? given : JSON.stringify(given));
  });

describe('a request', () => {
  it('is signed over the very bytes that are sent, with the hash of the public key', async () => {
    const { publicKey, privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const seen: (IncomingMessage & { body: Buffer })[] = [];
    const url = await answering((id, request, response) => {
      seen.push(request);
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: [{ from: 'btc', to: 'ton' }] }));
    });
    expect(await adapter(url, { key }).sourcesOf('ton', user)).toEqual(['btc']);
    const [{ headers, body }] = seen as [IncomingMessage & { body: Buffer }];
    expect(JSON.parse(body.toString())).toEqual({
      jsonrpc: '2.0',
      id: '1',
      method: 'getPairs',
      params: { to: 'ton', txType: 'float' },
    });
    const signature = Buffer.from(headers['x-api-signature'] as string, 'base64');
    expect(verify('RSA-SHA256', body, publicKey, signature)).toBe(true);
    const der = publicKey.export({ type: 'pkcs1', format: 'der' });
    expect(headers['x-api-key']).toBe(createHash('sha256').update(der).digest('base64'));
    expect(headers.authorization).toBeUndefined();
  });

  it('carries the credentials of an account that has them', async () => {
    let seen: string | undefined;
    const url = await answering((id, { headers }, response) => {
      seen = headers.authorization;
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: [] }));
    });
    const partner = createChangelly({
      url,
      signer: createSigner(privateKey),
      credentials: { user: 'wallet', password: 'p:ß' },
      sandbox: false,
      requestsPerSecond: 8,
      logger,
    });
    opened.push(partner);
    await partner.sourcesOf('ton', user);
    expect(seen).toBe(`Basic ${Buffer.from('wallet:p:ß').toString('base64')}`);
  });

  it('with the key of somebody else is refused, and neither key nor signature is in the error', async () => {
    const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const { partner } = await withDouble({}, { key });
    for (const call of [() => partner.sourcesOf('ton', user), () => partner.createOrder(ORDER, user)]) {
      const error: unknown = await call().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(PartnerUnavailable);
      expect((error as Error).message).toMatch(/HTTP 401/);
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(
        /x-api|PRIVATE|[A-Za-z0-9+/]{60}/i,
      );
    }
  });
});

it('is measured by method and outcome', async () => {
  const { double } = await withDouble();
  const requests: string[] = [];
  const partner = createChangelly({
    url: double.url,
    signer: createSigner(privateKey),
    sandbox: true,
    requestsPerSecond: 1_000,
    logger,
    backoffMs: 1,
    onRequest: ({ method, outcome, seconds }) => requests.push(`${method} ${outcome} ${seconds > 0}`),
  });
  opened.push(partner);
  double.failNext('html');
  await partner.sourcesOf('ton', user);
  await refusal(partner.estimate({ from: 'xmr', to: 'ton' }, '1', user));
  expect(requests).toEqual([
    'getPairs failed true',
    'getPairs answered true',
    'getExchangeAmount refused true',
  ]);
});

describe('what can be exchanged', () => {
  it('has what wallets show, and only what can be given', async () => {
    const { partner } = await withDouble();
    const all = await partner.currencies(user);
    expect(all.find(({ ticker }) => ticker === 'usdt20')).toEqual({
      ticker: 'usdt20',
      name: 'USDT',
      fullName: expect.any(String) as string,
      image: expect.stringMatching(/^https:/) as string,
      enabled: true,
      decimals: 6,
      blockchain: 'ethereum',
      network: 'ERC20',
      contractAddress: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
      extraIdName: null,
    });
    expect(all.find(({ ticker }) => ticker === 'pol')).toMatchObject({ enabled: false });
    expect(all.find(({ ticker }) => ticker === 'xrp')).toMatchObject({ extraIdName: 'Destination Tag' });
    const sources = await partner.sourcesOf('usdcsol', user);
    expect(sources).toEqual(expect.arrayContaining(['btc', 'ton', 'sol']));
    expect(sources).not.toEqual(expect.arrayContaining(['usdcsol']));
  });

  it('leaves out what is malformed, and is nothing when all is', async () => {
    const good = { ticker: 'GRAM', name: 'TON', fullName: 'Toncoin', enabled: true };
    const rows = [good, { ...good, ticker: '<b>' }, { ...good, enabled: 'yes' }, null, 'btc'];
    const some = adapter(await answeringJson(id => ({ id, result: rows })));
    expect(await some.currencies(user)).toMatchObject([{ ticker: 'ton', decimals: 18, image: '' }]);
    const none = adapter(await answeringJson(id => ({ id, result: rows.slice(1) })));
    await expect(none.currencies(user)).rejects.toThrow(PartnerUnavailable);
  });

  it('leaves out malformed pairs, and is nothing when all are', async () => {
    const rows = [{ from: 'btc', to: 'ton' }, { from: '<b>', to: 'ton' }, { from: 'eth' }, null];
    const some = adapter(await answeringJson(id => ({ id, result: rows })));
    expect(await some.sourcesOf('ton', user)).toEqual(['btc']);
    const none = adapter(await answeringJson(id => ({ id, result: rows.slice(1) })));
    await expect(none.sourcesOf('ton', user)).rejects.toThrow(PartnerUnavailable);
  });
});

describe('an estimate', () => {
  it('has amounts as decimals without needless zeros', async () => {
    const { partner } = await withDouble();
    const estimate = await partner.estimate({ from: 'btc', to: 'ton' }, '0.01', user);
    expect(estimate).toMatchObject({ from: 'btc', to: 'ton', amountFrom: '0.01' });
    for (const text of Object.values(estimate).slice(2)) expect(text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
    expect(Number(estimate.minFrom)).toBeLessThan(0.01);
    expect(Number(estimate.visibleAmount)).toBeGreaterThan(Number(estimate.amountTo));
  });

  it.each([true, false])(
    'beyond a limit is refused with the limits (in the error: %s)',
    async limitsInErrors => {
      const { partner, double } = await withDouble({ limitsInErrors });
      const low = await refusal(partner.estimate({ from: 'btc', to: 'ton' }, '0.00000001', user));
      const high = await refusal(partner.estimate({ from: 'btc', to: 'ton' }, '1000000', user));
      expect([low.reason, high.reason]).toEqual(['amount_too_low', 'amount_too_high']);
      expect(low.limits).toEqual(high.limits);
      const { minFrom, maxFrom } = low.limits!;
      const { result } = await partner
        .estimate({ from: 'btc', to: 'ton' }, '0.01', user)
        .then(estimate => ({ result: estimate }));
      expect([minFrom, maxFrom]).toEqual([result.minFrom, result.maxFrom]);
      expect(double.calls().get('getPairsParams') ?? 0).toBe(limitsInErrors ? 0 : 1);
    },
  );

  it('beyond a limit is refused without the limits where the partner does not say them', async () => {
    const url = await answering((id, { body }, response) => {
      const { method } = JSON.parse(body.toString()) as { method: string };
      const error =
        method === 'getPairsParams'
          ? { code: -32_601, message: 'Method not found' }
          : { code: -32_602, message: 'Invalid amount: minimal amount for btc->ton is 0.001' };
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error }));
    });
    const refused = await refusal(adapter(url).estimate({ from: 'btc', to: 'ton' }, '0.0001', user));
    expect(refused).toMatchObject({ reason: 'amount_too_low', limits: null });
  });

  it('beyond a limit is a warning where the partner does not say the limits, and none where a caller has asked for too much', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: line => void lines.push(line) });
    const { double } = await withDouble({ limitsInErrors: false });
    const estimateBy = (partner: ExchangePartner) =>
      refusal(partner.estimate({ from: 'btc', to: 'ton' }, '0.00000001', user));
    const busy = adapter(double.url, { perSecond: 1, log });
    const refused = await Promise.allSettled(Array.from({ length: 8 }, () => estimateBy(busy)));
    expect(refused).toContainEqual({
      status: 'fulfilled',
      value: expect.objectContaining({ reason: 'amount_too_low', limits: null }),
    });
    expect(lines).toEqual([]);

    double.failNext('html', { method: 'getPairsParams', times: 3 });
    expect((await estimateBy(adapter(double.url, { log }))).limits).toBeNull();
    expect(lines.join()).toMatch(/"level":40,.*limits of the exchange partner could not be read/);
  });

  it.each([
    ['xmr', 'ton', 'currency_unavailable'],
    ['nonsense', 'ton', 'currency_unavailable'],
    ['btc', 'pol2', 'currency_unavailable'],
  ] as const)('of %s for %s is refused: %s', async (from, to, reason) => {
    const { partner } = await withDouble();
    expect(await refusal(partner.estimate({ from, to }, '1', user))).toMatchObject({ reason, limits: null });
  });

  it('with too many decimals is refused', async () => {
    const { partner } = await withDouble();
    const refused = await refusal(partner.estimate({ from: 'btc', to: 'ton' }, '0.0123456789', user));
    expect(refused.reason).toBe('other');
  });

  it.each([
    ['of another pair', { from: 'eth' }],
    ['of another amount', { amountFrom: '0.02' }],
    ['without a rate', { rate: undefined }],
    ['with a negative amount', { amountTo: '-1' }],
    ['with an amount that is no number', { amountTo: 'NaN' }],
    ['with an object for an amount', { networkFee: { $gt: '' } }],
  ])('%s is no answer', async (_, wrong) => {
    const { partner, result } = await withDouble();
    const [right] = await result('getExchangeAmount', { from: 'btc', to: 'ton', amountFrom: '0.01' });
    const other = adapter(await answeringJson(id => ({ id, result: [{ ...right, ...wrong }] })));
    await expect(other.estimate({ from: 'btc', to: 'ton' }, '0.01', user)).rejects.toThrow(
      PartnerUnavailable,
    );
    await expect(partner.estimate({ from: 'btc', to: 'ton' }, '0.01', user)).resolves.toBeDefined();
  });
});

describe('an order', () => {
  it('is made once, and read back as it was made', async () => {
    const { partner, double, advance } = await withDouble();
    const created = await partner.createOrder(ORDER, user);
    expect(created).toMatchObject({
      from: 'btc',
      to: 'ton',
      status: 'new',
      createdAt: new Date(registered.START).toISOString(),
      payoutAddress: PAYOUT,
      refundAddress: null,
      amountExpectedFrom: '0.01',
      payTill: null,
      amountFrom: null,
      payinHash: null,
    });
    expect(double.calls().get('createTransaction')).toBe(1);
    const [waiting] = await partner.orders([created.id, 'unknown'], user);
    expect(waiting).toMatchObject({
      id: created.id,
      status: 'waiting',
      amountFrom: null,
      amountTo: null,
      totalFee: null,
    });
    advance(86_400);
    const [finished] = await partner.orders([created.id], user);
    expect(finished).toMatchObject({
      status: 'finished',
      amountFrom: '0.01',
      payinHash: expect.any(String) as string,
    });
    expect(Number(finished!.totalFee)).toBeGreaterThan(0);
  });

  it('of which an address is asked is found, page by page', async () => {
    const { partner, advance } = await withDouble();
    const first = await partner.createOrder({ ...ORDER, amountFrom: '0.011' }, user);
    advance(60);
    const since = registered.START + 1_000;
    const ids: string[] = [];
    for (let order = 0; order < 101; order++) ids.push((await partner.createOrder(ORDER, user)).id);
    const found = await partner.ordersTo(PAYOUT, since, user);
    expect(new Set(found.map(({ id }) => id))).toEqual(new Set(ids));
    expect(ids).not.toContain(first.id);
    expect(await partner.ordersTo(registered.PAYOUT, since, user)).toEqual([]);
  });

  it('of which there are two is the newer one', async () => {
    const { partner, result } = await withDouble();
    const { id } = await partner.createOrder(ORDER, user);
    const [good] = await result('getTransactions', { id });
    const rows = [{ ...good, payinHash: 'newer' }, good];
    const other = adapter(await answeringJson(request => ({ id: request, result: rows })));
    expect(await other.orders([id, id], user)).toMatchObject([{ id, payinHash: 'newer' }]);
  });

  it('that is malformed hides no other one', async () => {
    const { partner, result } = await withDouble();
    const { id } = await partner.createOrder(ORDER, user);
    const [good] = await result('getTransactions', { id });
    const rows = [
      { ...good, id: 'older', payinAddress: null, status: 7 },
      good,
      'none',
      { ...good, id: 'not asked' },
    ];
    const other = adapter(await answeringJson(request => ({ id: request, result: rows })));
    expect(await other.orders([id, 'older'], user)).toMatchObject([{ id }]);
    expect(await other.ordersTo(PAYOUT, registered.START, user)).toMatchObject([{ id }, { id: 'not asked' }]);
  });

  it('follows its status, whatever else of it cannot be read', async () => {
    const odd = [null, [], {}, true, 'abc', '1e999', '9'.repeat(300), 'x'.repeat(5_000)];
    const members = [
      ...[
        'amountFrom',
        'amountTo',
        'networkFee',
        'rate',
        'payinHash',
        'payoutHash',
        'refundHash',
        'trackUrl',
      ],
      ...[
        'changellyFee',
        'apiExtraFee',
        'totalFee',
        'createdAt',
        'payTill',
        'payinAddress',
        'amountExpectedTo',
      ],
    ];
    let row: object = {};
    const partner = adapter(await answeringJson(request => ({ id: request, result: [row] })));
    for (const value of odd) {
      row = { id: 'p1', status: 'sending', ...Object.fromEntries(members.map(name => [name, value])) };
      expect(await partner.orders(['p1'], user)).toMatchObject([
        { id: 'p1', status: 'sending', amountTo: null },
      ]);
    }
  });

  it('has its numbers exactly as they were written', async () => {
    const digits = '0.1234567890123456789';
    const row = `{"id":"p1","status":"finished","amountTo":${digits},"totalFee":-5E-8,"networkFee":"5E-8","rate":1e3,"apiExtraFee":"0.${'0'.repeat(40)}1"}`;
    const partner = adapter(await answeringJson(request => `{"id":"${request}","result":[${row}]}`));
    expect(await partner.orders(['p1'], user)).toMatchObject([
      { amountTo: digits, totalFee: '-0.00000005', networkFee: '0.00000005', rate: '1000', apiExtraFee: '0' },
    ]);
  });

  it.each([
    ['0.00000001', PAYOUT, 'btc', 'amount_too_low'],
    ['1000000', PAYOUT, 'btc', 'amount_too_high'],
    ['0.01', 'nobody', 'btc', 'address_invalid'],
    ['1', PAYOUT, 'xmr', 'currency_unavailable'],
  ] as const)('of %s to %s from %s is refused: %s', async (amountFrom, payoutAddress, from, reason) => {
    const { partner, double } = await withDouble();
    const refused = await refusal(partner.createOrder({ ...ORDER, amountFrom, payoutAddress, from }, user));
    expect(refused.reason).toBe(reason);
    expect(double.orders()).toEqual([]);
  });

  it('that pays another address, or another pair, is not shown to anybody', async () => {
    const { result } = await withDouble();
    const right = await result('createTransaction', {
      from: 'btc',
      to: 'ton',
      amountFrom: '0.01',
      address: PAYOUT,
    });
    for (const wrong of [{ payoutAddress: registered.PAYOUT }, { currencyTo: 'sol' }, { payinAddress: '' }]) {
      const other = adapter(await answeringJson(id => ({ id, result: { ...right, ...wrong } })));
      await expect(other.createOrder(ORDER, user)).rejects.toThrow(PartnerOutcomeUnknown);
    }
  });

  it('may come back with its TON address in another form', async () => {
    const { result } = await withDouble();
    const right = await result('createTransaction', {
      from: 'btc',
      to: 'ton',
      amountFrom: '0.01',
      address: PAYOUT,
    });
    const payoutAddress = '0:0707070707070707070707070707070707070707070707070707070707070707';
    const other = adapter(await answeringJson(id => ({ id, result: { ...right, payoutAddress } })));
    // As it was asked for, so that it is the order that was asked for.
    expect(await other.createOrder(ORDER, user)).toMatchObject({ payoutAddress: PAYOUT });
  });
});

describe('failures', () => {
  const faults = Object.keys(FAULTS) as Fault[];
  const surelyNothing: readonly Fault[] = ['http-429', 'requests-limit'];
  const timing = { timeoutMs: 300 };

  it.each(faults)('of an order by %s: it is asked for once, and the outcome is what it is', async fault => {
    const { partner, double } = await withDouble();
    double.failNext(fault, { method: 'createTransaction' });
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const failure = expect(partner.createOrder(ORDER, user)).rejects.toThrow(
      surelyNothing.includes(fault) ? PartnerUnavailable : PartnerOutcomeUnknown,
    );
    if (fault === 'slow') {
      // The limit passes when the order is there.
      await until(() => double.orders().length === 1);
      for (const [pass, delayMs] of timers.mock.calls) if (delayMs === TIMEOUT_MS) pass();
    }
    timers.mockRestore();
    await failure;
    expect(double.calls().get('createTransaction') ?? 0).toBeLessThanOrEqual(1);
    // The answer may be missed before the order is there.
    await until(() => double.orders().length === (FAULTS[fault] ? 1 : 0));
    if (!FAULTS[fault]) return;
    const found = await adapter(double.url).ordersTo(PAYOUT, registered.START - 1_000, user);
    expect(found).toMatchObject([{ amountExpectedFrom: '0.01', status: 'waiting' }]);
  });

  it.each(faults)('of a read by %s: once is repeated, again and again is an outage', async fault => {
    const { partner, double } = await withDouble({}, fault === 'slow' ? timing : {});
    const method: MethodName = 'getExchangeAmount';
    const read = () => partner.estimate({ from: 'btc', to: 'ton' }, '0.01', user);
    double.failNext(fault, { method });
    // On a busy machine the repetition may be too late as well.
    expect(await (fault === 'slow' ? until(read) : read())).toMatchObject({ amountFrom: '0.01' });
    double.failNext(fault, { method, times: 10 });
    await expect(read()).rejects.toThrow(PartnerUnavailable);
  });

  it('of a connection: nothing was sent', async () => {
    const url = await answeringJson(() => '');
    await opened.pop()!.close();
    const closed = adapter(url);
    await expect(closed.createOrder(ORDER, user)).rejects.toThrow(PartnerUnavailable);
    const nowhere = adapter('http://exchange.invalid/v2');
    await expect(nowhere.createOrder(ORDER, user)).rejects.toThrow(PartnerUnavailable);
  });

  it.each([
    ['an empty body', () => ''],
    ['a page', () => '<html>Please wait</html>'],
    ['an array', () => '[]'],
    ['null', () => 'null'],
    ['neither result nor error', (id: string) => ({ id })],
    ['another id', () => ({ id: 'other', result: {} })],
    ['no id', () => ({ result: {} })],
    ['a number for an id', () => ({ id: 1, result: {} })],
    ['a result of another kind', (id: string) => ({ id, result: [7] })],
    ['an error that is text', (id: string) => ({ id, error: 'failed' })],
    ['an error of the server', (id: string) => ({ id, error: { code: -32_603, message: 'Internal Error' } })],
    ['an error of its own', (id: string) => ({ id, error: { code: -32_000, message: 'try later' } })],
    [
      'a refusal of something else',
      () => ({ id: 'other', error: { code: -32_602, message: 'Invalid address' } }),
    ],
    ['deep nesting', (id: string) => `{"id":"${id}","result":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
    [
      'prototypes',
      (id: string) => `{"id":"${id}","result":{"__proto__":{"id":"x"}},"__proto__":{"error":1}}`,
    ],
  ])('%s is no answer: an order may exist, a read is an outage', async (_, answer) => {
    const partner = adapter(await answeringJson(answer));
    await expect(partner.createOrder(ORDER, user)).rejects.toThrow(PartnerOutcomeUnknown);
    await expect(partner.orders(['1'], user)).rejects.toThrow(PartnerUnavailable);
  });

  it.each([
    ['a request that was not understood', { id: null, error: { code: -32_700, message: 'Parse error' } }],
    ['a method that is unknown', { id: '1', error: { code: -32_601, message: 'Method not found' } }],
    ['a request that is invalid', { id: '1', error: { code: -32_600, message: 'Invalid Request' } }],
  ])('%s has done nothing', async (_, answer) => {
    const partner = adapter(await answeringJson(() => answer));
    await expect(partner.createOrder(ORDER, user)).rejects.toThrow(PartnerUnavailable);
  });

  it.each([
    [400, PartnerUnavailable],
    [401, PartnerUnavailable],
    [429, PartnerUnavailable],
    [500, PartnerOutcomeUnknown],
    [503, PartnerOutcomeUnknown],
    [301, PartnerOutcomeUnknown],
  ])('HTTP %s of an order is the right kind of failure', async (status, kind) => {
    const url = await answering((_id, _request, response) => response.writeHead(status).end('no'));
    await expect(adapter(url).createOrder(ORDER, user)).rejects.toThrow(kind);
  });

  it('a call whose signal has fired is not sent', async () => {
    const { partner, double } = await withDouble();
    const signal = AbortSignal.abort();
    await expect(partner.createOrder(ORDER, { priority: 'order', signal })).rejects.toThrow(
      PartnerUnavailable,
    );
    expect(double.calls().size).toBe(0);
  });
});

async function refusal(call: Promise<unknown>): Promise<PartnerRefused> {
  const error: unknown = await call.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(PartnerRefused);
  return error as PartnerRefused;
}
