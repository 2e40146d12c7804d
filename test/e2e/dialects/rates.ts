import { get, post, type Row } from './requests';

const PRICE = expect.any(Number);

/** The rows of "Rates and tokens"; that of one jetton is with the jettons. */
export const RATE_ROWS: readonly Row[] = [
  {
    row: 'GET /v2/price',
    accepts: ({ price }) => price,
    ask: () => ({
      app: get('/v2/price'),
      spec: get('/v2/price'),
      says: {
        price: { usd: PRICE },
        rates: { USD: 1, EUR: 0.86 },
        solanaPrice: { usd: PRICE },
        usdyPrice: { usd: PRICE },
        xaut0Price: { usd: PRICE },
      },
    }),
  },
  {
    row: 'POST /v2/rates',
    accepts: ({ rates }) => rates,
    ask({ network }) {
      // The specification names the network alone.
      const asked = post('/v2/rates', { network, tokens: ['ton', 'sol'], currencies: ['usd'] });
      const percent = { USD: expect.stringMatching(/^[+\u2212]?\d+\.\d\d%$/) };
      return {
        app: asked,
        spec: asked,
        says: {
          testnet: network === 'testnet',
          rates: {
            TON: { prices: { USD: PRICE } },
            SOL: { prices: { USD: PRICE }, diff24h: percent, diff7d: percent, diff30d: percent },
          },
        },
      };
    },
  },
  {
    row: 'POST /token/info',
    accepts: ({ tokenInfo }) => tokenInfo,
    ask: () => ({
      app: post('/token/info', { id: '11419' }),
      spec: post('/token/info', { id: '11419' }),
      says: { data: { name: 'Local Toncoin', symbol: 'TON', total_supply: 5_000_000_000 } },
    }),
  },
];
