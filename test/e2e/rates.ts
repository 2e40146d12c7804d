import type { PriceResponse, RatesResponse, TokenInfo } from '../../contracts/http/rates';
import { until } from '../until';
import type { Installation } from './installation';

export function rates(main: Installation): void {
  const price = async () => {
    const { status, body, headers } = await main.get('/v2/price');
    return { status, prices: body as PriceResponse, headers };
  };

  it('has prices of the local market, which move, with the places and times that they come from', async () => {
    const first = await until(
      price,
      ({ status, prices }) => status === 200 && prices.rates['EUR'] !== undefined,
    );
    const { TON, EUR } = first.prices.evidence;
    expect(TON!.sources.map(({ source }) => source)).toEqual(['local-a', 'local-b', 'local-c']);
    expect(EUR!.sources.map(({ source }) => source)).toEqual(['embedded']);
    expect(first.headers.get('x-data-sources')).toBe('embedded, local-a, local-b, local-c');
    expect(first.prices.price.usd).toBe(Number(TON!.price));
    await until(price, ({ prices }) => prices.evidence['TON']!.price !== TON!.price);
  });

  it('has rates in both dialects', async () => {
    await until(price, ({ status }) => status === 200);
    const app = await main.post('/v2/rates', { network: 'mainnet', tokens: ['ton'], currencies: ['usd'] });
    expect(Object.keys((app.body as RatesResponse).rates['TON']!.prices)).toEqual(['USD']);
    const spec = await main.post('/v2/rates', { network: 'testnet' });
    expect((spec.body as RatesResponse).rates['TON']!.prices).toMatchObject({ EUR: expect.any(Number) });
  });

  it('has what the local market says of a coin', async () => {
    const answered = await until(
      () => main.post('/token/info', { id: '11419' }),
      ({ status }) => status === 200,
    );
    expect(answered.body as TokenInfo).toMatchObject({
      data: { name: 'Local Toncoin' },
      source: 'local market',
    });
  });
}
