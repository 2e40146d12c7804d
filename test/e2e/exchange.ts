import type { ExchangeCurrency } from '../../contracts/http/exchange-market';
import { call, send } from './client';
import type { Installation } from './installation';

/** A program without a partner, on local networks: the double of one stands in. */
export function exchange(main: Installation): void {
  it('currencies and an estimate come from the double, say so, and are the same in both dialects', async () => {
    const { url } = main.program;
    const lists = await Promise.all(
      ['exchange', 'changelly'].map(group => call(url, 'GET', `/${group}/currencies?currencyTo=usdton`)),
    );
    expect(lists[0]!.body).toEqual(lists[1]!.body);
    const currencies = lists[0]!.body as ExchangeCurrency[];
    expect(currencies.map(({ ticker }) => ticker)).toEqual(expect.arrayContaining(['btc', 'eth', 'ton']));
    expect(currencies.every(({ sandbox }) => sandbox)).toBe(true);

    const body = { fromCurrency: 'btc', toCurrency: 'ton', amount: '0.010' };
    const answers = await Promise.all(
      ['exchange', 'changelly'].map(group => call(url, 'POST', `/${group}/estimate`, { body })),
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
}
