import request from 'supertest';
import { exchangePageRoutes } from '../../services/exchange/pages/routes';
import { createTestApp } from '../app';

const app = createTestApp(
  exchangePageRoutes({
    widgetUrl: 'https://widget.example/swap?theme=aqua',
    widgetMerchantId: 'us & them',
    dexUrl: 'https://dex.example',
    dexSource: 'tidemark',
  }),
);

const ask = async (path: string, query: Record<string, string> = {}) => {
  const { status, body } = await request(app).get(path).query(query);
  return { status, body: body as { url: string; code: string; errors?: { pointer: string }[] } };
};
const parametersOf = (url: string) => Object.fromEntries(new URL(url).searchParams);

const RAW = `0:${'07'.repeat(32)}`;
const BOUNCEABLE = 'EQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB8Jh';
const NON_BOUNCEABLE = 'UQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB5-k';
const TESTNET = 'kQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB3nr';

describe.each(['/exchange', '/changelly'])('%s', prefix => {
  test('the widget opens with what the wallet asks for', async () => {
    const query = { fromDefault: 'TON', toDefault: 'usdton', amount: '11', v: '3', network: 'mainnet' };
    const { status, body } = await ask(`${prefix}/widget`, query);
    expect(status).toBe(200);
    expect(body.url).toBe(
      'https://widget.example/swap?theme=aqua&amount=11&fromDefault=ton&toDefault=usdton&merchant_id=us+%26+them&v=3',
    );
  });

  test('the decentralized exchange opens with the address in the form that the user has chosen', async () => {
    const query = { currency: 'EUR', lang: 'zh-Hant', themeStyle: 'dark', pushNotifications: 'true' };
    const common = { utm_source: 'tidemark', utm_content: 'extension', ref: 'tidemark', ...query };
    for (const [bounceable, address] of [
      ['true', BOUNCEABLE],
      ['false', NON_BOUNCEABLE],
    ] as const)
      for (const given of [RAW, BOUNCEABLE, NON_BOUNCEABLE]) {
        const { body } = await ask(`${prefix}/dex`, { address: given, bounceable, ...query });
        expect(parametersOf(body.url)).toEqual({ address, ...common });
      }
  });
});

test('what is not asked for has a default, and an amount has none', async () => {
  const widget = (await ask('/exchange/widget')).body.url;
  expect(parametersOf(widget)).toEqual({
    theme: 'aqua',
    fromDefault: 'ton',
    toDefault: 'usdton',
    merchant_id: 'us & them',
    v: '3',
  });
  const dex = (await ask('/exchange/dex', { address: RAW, utm_source: 'ours', ref: 'friend' })).body.url;
  expect(parametersOf(dex)).toEqual({
    address: BOUNCEABLE,
    utm_source: 'ours',
    utm_content: 'extension',
    ref: 'friend',
    lang: 'en',
    currency: 'USD',
    themeStyle: 'light',
    pushNotifications: 'false',
  });
});

test.each([
  ['/exchange/widget', { network: 'testnet' }, 'network'],
  ['/exchange/widget', { isTestnet: 'true' }, 'isTestnet'],
  ['/exchange/widget', { fromDefault: 'ton&merchant_id=them' }, 'fromDefault'],
  ['/exchange/widget', { amount: '0' }, 'amount'],
  ['/exchange/widget', { v: 'latest' }, 'v'],
  ['/exchange/dex', {}, 'address'],
  ['/exchange/dex', { address: 'So11111111111111111111111111111111111111112' }, 'address'],
  ['/exchange/dex', { address: TESTNET }, 'address'],
  ['/exchange/dex', { address: RAW, network: 'testnet' }, 'network'],
  ['/exchange/dex', { address: RAW, themeStyle: 'blue' }, 'themeStyle'],
  ['/exchange/dex', { address: RAW, lang: 'en_US' }, 'lang'],
  ['/exchange/dex', { address: RAW, pushNotifications: '1' }, 'pushNotifications'],
  ['/exchange/dex', { address: RAW, ref: '<script>' }, 'ref'],
] as const)('%s refuses %j', async (path, query, field) => {
  const { status, body } = await ask(path, query);
  expect([status, body.errors?.map(({ pointer }) => pointer)]).toEqual([400, [`/query/${field}`]]);
});
