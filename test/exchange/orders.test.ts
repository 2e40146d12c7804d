import type { AccountRef } from '../../contracts/network/network';
import type { ExchangePartner } from '../../contracts/ports/exchange-partner';
import { exchange } from '../../infra/program/features/exchange';
import { startOrderProgram, type OrderProgram } from './orders';
import { at, partnerOrder } from './order';
import { appDetails, appList, appResolved } from './wallet-app';

const RAW = `0:${'07'.repeat(32)}`;
const TON = 'UQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB5-k';
const BOUNCEABLE = 'EQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB8Jh';
const OTHER = 'UQAICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICIdh';
const TESTNET = 'kQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB3nr';
const SOLANA = 'So11111111111111111111111111111111111111112';

const ton: AccountRef = { chain: 'ton', network: 'mainnet', address: RAW };
const solana: AccountRef = { chain: 'solana', network: 'mainnet', address: SOLANA };
const stranger: AccountRef = { chain: 'ton', network: 'mainnet', address: `0:${'99'.repeat(32)}` };
const UNKNOWN = 'b1d48db0-9017-598e-bbe9-29df64f7e482';

/** Orders for which the partner was asked. */
const refreshed: string[] = [];
let moving: string;
const partner = {
  async orders(ids: readonly string[]) {
    refreshed.push(...ids);
    return ids.filter(id => id === moving).map(id => partnerOrder({ id, status: 'exchanging' }));
  },
} as unknown as ExchangePartner;

let seconds = 60;
const options = {
  features: [exchange],
  clients: { exchange: async () => partner },
  clock: () => new Date(at(seconds)),
};
let server: OrderProgram;
afterAll(() => server.stop());

let waiting: string;
let finished: string;
let failed: string;
beforeAll(async () => {
  server = await startOrderProgram(options);
  waiting = await server.place(ton, { status: 'waiting' });
  await server.request(ton);
  await server.request(
    ton,
    { type: 'startCall' },
    {
      type: 'recordRejected',
      attempt: 1,
      reason: 'other',
      message: 'no',
    },
  );
  finished = await server.place(
    solana,
    { status: 'confirming', payinHash: 'in', amountFrom: '0.1' },
    { status: 'waiting' },
    { status: 'finished', payinHash: 'in', payoutHash: 'out', amountFrom: '0.1', amountTo: '1819' },
  );
  failed = await server.place(ton, { status: 'failed' });
});

const ids = ({ body }: { body: { data: { id: string }[] } }): string[] => body.data.map(({ id }) => id);
const pointersOf = ({ body }: { body: { errors?: { pointer: string }[] } }) =>
  body.errors?.map(({ pointer }) => pointer);

describe.each(['/exchange', '/changelly'])('%s', prefix => {
  test('the app lists the orders of its wallet on both chains, newest first', async () => {
    const list = (more: object) =>
      server.post(`${prefix}/transactions`, { wallet: { ton: TON, solana: SOLANA }, ...more });
    const all = await list({});
    expect(all.status).toBe(200);
    expect(appList.parse(all.body).data.map(({ id, status }) => [id, status])).toEqual([
      [failed, 'failed'],
      [finished, 'finished'],
      [waiting, 'waiting'],
    ]);
    expect(ids(await list({ limit: 1 }))).toEqual([failed]);
    expect(ids(await list({ limit: 2, offset: 1 }))).toEqual([finished, waiting]);
    expect(ids(await list({ offset: 3 }))).toEqual([]);
    expect(ids(await list({ status: 'finished' }))).toEqual([finished]);
    expect(ids(await list({ status: 'hold' }))).toEqual([]);
    expect(ids(await server.post(`${prefix}/transactions`, { wallet: { ton: TON } }))).toEqual([
      failed,
      waiting,
    ]);
  });

  test('the specification lists the orders of an address of either chain, in any form', async () => {
    for (const [address, expected] of [
      [TON, [failed, waiting]],
      [BOUNCEABLE, [failed, waiting]],
      [RAW, [failed, waiting]],
      [SOLANA, [finished]],
      [OTHER, []],
    ] as const) {
      const listed = await server.post(`${prefix}/transactions`, { address, network: 'mainnet' });
      expect([listed.status, ids(listed)]).toEqual([200, expected]);
    }
  });

  test.each(['transactionId', 'orderId', 'id'])(
    'details are found by %s, as the app reads them',
    async name => {
      const { status, body } = await server.post(`${prefix}/transaction/details`, { [name]: finished });
      expect(status).toBe(200);
      expect(appDetails.parse(body).data).toMatchObject({
        id: finished,
        status: 'finished',
        description: null,
        error: null,
        fromCurrency: 'btc',
        toCurrency: 'ton',
        network: 'bitcoin',
        payinAddress: 'payin',
        payoutAddress: 'payout',
        amountExpectedFrom: '0.1',
        amountFrom: '0.1',
        amountTo: '1819',
        // 0.1 btc have bought 1819 ton.
        exchangeRate: '0.0000549752611324903793',
        payinHash: 'in',
        payoutHash: 'out',
        totalFee: null,
        expiresAt: at(3_600),
      });
      expect(body).toMatchObject({ data: { sandbox: false, payinExtraId: null, trackUrl: null } });
    },
  );

  test('the history of an order has what the partner said that cannot follow, and nothing of the wallet', async () => {
    const { status, body, headers } = await server.get(`${prefix}/transaction/${finished}/history`);
    expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('json')]);
    expect(body).toMatchObject({ ok: true, id: finished, status: 'finished', sandbox: false });
    const states = (body as { states: { kind: string; status?: string; observed?: string }[] }).states;
    expect(states.map(({ kind, status: shown, observed }) => [kind, shown ?? observed])).toEqual([
      ['placed', 'new'],
      ['status', 'waiting'],
      ['payin', undefined],
      ['status', 'confirming'],
      ['anomaly', 'waiting'],
      ['payout', undefined],
      ['status', 'finished'],
    ]);
    expect(JSON.stringify(body)).not.toMatch(/payin"?:|payout"?:|UQ|0:07/);
  });
});

test('a user who must act, or got nothing, learns why', async () => {
  const { body } = await server.post('/exchange/transaction/details', { transactionId: failed });
  expect(body).toMatchObject({
    data: { status: 'failed', error: expect.stringContaining('support') as string },
  });
});

test('what the partner has not made is not found, nor what belongs to another wallet', async () => {
  const rejected = await server.request(ton, { type: 'startCall' });
  const foreign = await server.place(stranger, { status: 'waiting' });
  for (const [call, body] of [
    ['details', { transactionId: UNKNOWN }],
    ['details', { transactionId: 'nonsense' }],
    ['details', { transactionId: rejected }],
    ['details', { transactionId: foreign, wallet: TON }],
    ['resolve', { transactionId: UNKNOWN, wallet: TON }],
    ['resolve', { transactionId: foreign, wallet: TON }],
    ['resolve', { transactionId: foreign, wallet: SOLANA }],
    ['resolve', { transactionId: rejected, resolution: 'dismissed' }],
  ] as const) {
    const answer = await server.post(`/exchange/transaction/${call}`, body);
    expect([answer.status, answer.body]).toMatchObject([
      404,
      {
        ok: false,
        code: 'exchange_order_not_found',
        error: 'exchange_order_not_found',
        message: expect.any(String) as string,
      },
    ]);
  }
  expect((await server.get(`/exchange/transaction/${rejected}/history`)).status).toBe(404);
  expect((await server.get(`/exchange/transaction/${UNKNOWN}/history`)).status).toBe(404);
  expect(refreshed).toEqual([]);
});

test('the rate of an order is there from its first state on', async () => {
  const order = await server.place(stranger);
  const { body } = await server.post('/exchange/transaction/details', { transactionId: order });
  expect(appDetails.parse(body).data).toMatchObject({ status: 'waiting', amountTo: null });
  const { exchangeRate, amountExpectedFrom, amountExpectedTo } = appDetails.parse(body).data as {
    [member: string]: string;
  };
  expect(Number(exchangeRate)).toBeCloseTo(Number(amountExpectedFrom) / Number(amountExpectedTo), 15);
});

test('what has ended leaves the list, and is found by its status', async () => {
  const list = async (more: object = {}) =>
    ids(await server.post('/exchange/transactions', { address: SOLANA, ...more }));
  const before = seconds;
  const [held, open] = [
    await server.place(solana, { status: 'hold' }),
    await server.place(solana, { status: 'confirming' }),
  ];
  try {
    expect(await list()).toEqual([open, held, finished]);
    seconds += 25 * 3_600;
    expect(await list()).toEqual([open, held]);
    seconds += 365 * 24 * 3_600;
    expect(await list()).toEqual([open, held]);
    expect(await list({ status: 'finished' })).toEqual([finished]);
  } finally {
    seconds = before;
  }
});

describe('resolve', () => {
  const resolve = (body: object, prefix = '/exchange') => server.post(`${prefix}/transaction/resolve`, body);

  test('the app closes an order that came to nothing, once', async () => {
    const order = await server.place(ton, { status: 'overdue' });
    const first = await resolve({ wallet: BOUNCEABLE, transactionId: order }, '/changelly');
    expect(first.status).toBe(200);
    expect(appResolved.parse(first.body)).toEqual({ ok: true });
    expect(first.body).toMatchObject({ status: 'resolved', data: { id: order, status: 'resolved' } });
    const again = await resolve({ wallet: TON, transactionId: order });
    expect([again.status, again.body]).toEqual([200, first.body]);
    const { body } = await server.get(`/exchange/transaction/${order}/history`);
    expect((body as { states: unknown[] }).states.at(-1)).toMatchObject({ kind: 'resolved', by: 'wallet' });
  });

  test('the user who has closed an order is not shown it as it was before', async () => {
    const behind = await startOrderProgram({ ...options, roles: ['api'], readWait: { waitMs: 0 } });
    const { folder } = behind;
    const projecting = await startOrderProgram({ ...options, folder, roles: ['projections'] });
    try {
      const order = await behind.place(ton, { status: 'overdue' });
      await projecting.stop();
      const { status, body, headers } = await behind.post('/exchange/transaction/resolve', {
        transactionId: order,
        wallet: TON,
      });
      expect([status, body]).toMatchObject([503, { ok: false, code: 'not_ready' }]);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    } finally {
      await behind.stop();
    }
  });

  test('a client that names a resolution closes it too, and the partner is not asked', async () => {
    const order = await server.place(solana, { status: 'refunded' });
    refreshed.length = 0;
    expect((await resolve({ id: order, resolution: 'dismissed' })).body).toMatchObject({
      status: 'resolved',
    });
    expect(refreshed).toEqual([]);
  });

  test('the app closes an order that it will not pay, and finds it again when it was paid after all', async () => {
    const order = await server.place(ton, { status: 'waiting' });
    refreshed.length = 0;
    const list = async () => ids(await server.post('/changelly/transactions', { wallet: { ton: TON } }));
    expect(await list()).toContain(order);
    const { status, body } = await resolve({ wallet: TON, transactionId: order }, '/changelly');
    expect([status, body]).toMatchObject([200, { ok: true, status: 'resolved' }]);
    expect(await list()).not.toContain(order);
    expect(ids(await server.post('/exchange/transactions', { address: TON, status: 'resolved' }))).toContain(
      order,
    );
    const paid = partnerOrder({ id: order, status: 'confirming' });
    await server.execute(order, { type: 'observe', order: paid });
    expect(await list()).toContain(order);
    expect(refreshed).toEqual([]);
  });

  test('an order that is being exchanged is refreshed instead', async () => {
    moving = await server.place(ton, { status: 'confirming' });
    refreshed.length = 0;
    const { status, body, headers } = await resolve({ wallet: TON, transactionId: moving });
    expect([status, body]).toMatchObject([
      200,
      { ok: true, status: 'exchanging', data: { status: 'exchanging' } },
    ]);
    expect(Number(headers['x-ledger-position'])).toBeGreaterThan(0);
    expect(refreshed).toEqual([moving]);
  });

  test('without a wallet an order is refreshed, and not closed', async () => {
    refreshed.length = 0;
    expect((await resolve({ orderId: failed })).body).toMatchObject({ ok: true, status: 'failed' });
    expect(refreshed).toEqual([failed]);
  });
});

test.each([
  ['/exchange/transactions', {}, '/body/address'],
  ['/exchange/transactions', { address: 'me', network: 'mainnet' }, '/body/address'],
  ['/exchange/transactions', { address: TON, network: 'testnet' }, '/body/network'],
  ['/exchange/transactions', { address: TON, isTestnet: true }, '/body/isTestnet'],
  ['/exchange/transactions', { address: TESTNET, network: 'mainnet' }, '/body/address'],
  ['/exchange/transactions', { address: TON, wallet: { ton: TON } }, '/body/address'],
  ['/exchange/transactions', { wallet: { ton: SOLANA } }, '/body/wallet/ton'],
  ['/exchange/transactions', { wallet: { ton: TON, solana: TON } }, '/body/wallet/solana'],
  ['/exchange/transactions', { address: TON, limit: 101 }, '/body/limit'],
  ['/exchange/transactions', { address: TON, limit: 0 }, '/body/limit'],
  ['/exchange/transactions', { address: TON, offset: -1 }, '/body/offset'],
  ['/exchange/transactions', { address: TON, offset: 1e9 }, '/body/offset'],
  ['/exchange/transactions', { address: TON, status: 'lost' }, '/body/status'],
  ['/exchange/transaction/details', {}, '/body/transactionId'],
  ['/exchange/transaction/details', { transactionId: { $ne: null } }, '/body/transactionId'],
  ['/exchange/transaction/details', { transactionId: 'x'.repeat(65) }, '/body/transactionId'],
  ['/exchange/transaction/resolve', { transactionId: UNKNOWN, wallet: TESTNET }, '/body/wallet'],
  ['/exchange/transaction/resolve', { transactionId: UNKNOWN, resolution: 'finished' }, '/body/resolution'],
])('%s refuses %j', async (path, body, pointer) => {
  const answer = await server.post(path, body);
  expect([answer.status, pointersOf(answer)]).toEqual([400, [pointer]]);
});
