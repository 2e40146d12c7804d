import { Address } from '@ton/core';
import type { ExchangeCurrency } from '../../contracts/http/exchange/market';
import { appCreated, appDetails, appList, appResolved } from '../exchange/wallet-app';
import { until } from '../until';
import { call, callUntilReady, send } from './client';
import type { Installation } from './installation';

/** A program without a partner, on local networks: the double of one stands in. */
export function exchange(main: Installation): void {
  it('currencies and an estimate come from the double, say so, and are the same in both dialects', async () => {
    const { url } = main.program;
    const lists = await Promise.all(
      ['exchange', 'changelly'].map(group =>
        callUntilReady(url, 'GET', `/${group}/currencies?currencyTo=usdton`),
      ),
    );
    expect(lists[0]!.body).toEqual(lists[1]!.body);
    const currencies = lists[0]!.body as ExchangeCurrency[];
    expect(currencies.map(({ ticker }) => ticker)).toEqual(expect.arrayContaining(['btc', 'eth', 'ton']));
    expect(currencies.every(({ sandbox }) => sandbox)).toBe(true);

    const body = { fromCurrency: 'btc', toCurrency: 'ton', amount: '0.010' };
    const answers = await Promise.all(
      ['exchange', 'changelly'].map(group => callUntilReady(url, 'POST', `/${group}/estimate`, { body })),
    );
    for (const { status, body: estimated } of answers) {
      expect([status, estimated]).toEqual([
        200,
        expect.objectContaining({ amountFrom: '0.01', from: 'btc', to: 'ton', sandbox: true }),
      ]);
      expect(estimated.result).toEqual([expect.objectContaining({ amountTo: estimated.amountTo })]);
    }
  });

  it('a limit is a problem that names the field and both limits', async () => {
    const body = JSON.stringify({ fromCurrency: 'btc', toCurrency: 'ton', amount: '0.00000001' });
    const { status, body: problem } = await send(main.program.url, 'POST', '/changelly/estimate', { body });
    expect([status, problem]).toMatchObject([
      400,
      {
        ok: false,
        error: 'exchange_limit',
        errors: [{ pointer: '/body/amount' }],
        message: expect.stringContaining('minimal') as string,
        limits: { min: { from: expect.any(String) as string }, max: { from: expect.any(String) as string } },
      },
    ]);
  });

  it('an order of the app goes from its estimate to the end, and its commission becomes a fee', async () => {
    const { url } = main.program;
    const post = async (path: string, body: object) => {
      const answer = await callUntilReady(url, 'POST', `/changelly/${path}`, { body });
      expect(answer.status).toBe(200);
      return answer.body as unknown;
    };
    const wallet = new Address(0, Buffer.alloc(32, 'exchange')).toString({ bounceable: false });
    const terms = { fromCurrency: 'btc', toCurrency: 'ton', amount: '0.02' };
    await post('estimate', terms);
    const request = { ...terms, network: 'bitcoin', wallet, isTestnet: false, idempotencyKey: '20261123' };
    const [created, again] = await Promise.all([1, 2].map(() => post('transaction/create', request)));
    const { id: transactionId, payoutAddress } = appCreated.parse(created);
    expect([appCreated.parse(again).id, payoutAddress]).toEqual([transactionId, wallet]);
    expect(created).toMatchObject({ sandbox: true });

    await until(
      async () => {
        // Without a wallet it closes nothing, and has the partner asked.
        appResolved.parse(await post('transaction/resolve', { transactionId }));
        return appDetails.parse(await post('transaction/details', { transactionId })).data;
      },
      ({ status }) => status === 'finished',
    );
    const [listed] = appList.parse(await post('transactions', { wallet: { ton: wallet } })).data;
    expect(listed).toMatchObject({ id: transactionId, status: 'finished', amountFrom: '0.02' });
    expect([listed!.payinHash, listed!.payoutHash, listed!.amountTo]).not.toContain(null);
    const { body: history } = await call(url, 'GET', `/exchange/transaction/${transactionId}/history`);
    expect(history.states[0]).toMatchObject({ kind: 'placed', status: 'new' });
    expect(history.states.at(-1)).toMatchObject({ kind: 'status', status: 'finished' });

    await until(
      () => main.act({ action: 'get_revenue' }),
      ({ body }) => JSON.stringify(body.byMerchant).includes('"merchant_id":"changelly"'),
    );
    const { body: ledger } = await main.act({ action: 'list_fee_ledger', merchantSlug: 'changelly' });
    expect(ledger).toMatchObject({ total: 1, rows: [{ collection_status: 'pending' }] });
    expect(Number(ledger.rows[0].fee_amount)).toBeGreaterThan(0);
  });
}
