import request from 'supertest';
import type { JsonObject } from '../../contracts/json/json';
import type { AppConfigDocument } from '../../projections/app-config/app-configs';
import { createTestApp } from '../../test/app';
import { appConfigRoutes } from './routes';

/** Whether the networks are local ones. */
let isLocal = false;
afterEach(() => {
  isLocal = false;
});

const published = (_id: string, content: JsonObject): AppConfigDocument => ({
  _id,
  version: 7,
  content,
  createdAt: '2026-03-01T12:00:00.000Z',
  updatedAt: '2026-03-02T12:00:00.000Z',
});

/** The answer with these documents. */
async function get(path: string, ...documents: AppConfigDocument[]) {
  const bindings = appConfigRoutes({
    isLocal: () => isLocal,
    views: {
      cached: (_query, compute) => compute(),
      get: async (_collection, id) => (documents.find(({ _id }) => _id === id) as never) ?? null,
    },
  });
  const app = createTestApp(bindings);
  return request(app).get(path);
}

const config = {
  txTimeout: 90,
  features: { ethena: true },
  changelly: { minAmount: 5, minAmountCurrency: 'eur' },
};
const android = { critical: '2.1', latest: '2.3', url: 'https://store.example/app' };

it('answers what was published for the network', async () => {
  const { body, headers } = await get('/appconfig/mainnet', published('app:mainnet', config));
  expect(body).toEqual(config);
  expect(headers['x-config-version']).toBe('7');
});

it('answers what wallets assume by themselves, while nothing was published', async () => {
  const { body, headers } = await get('/appconfig/mainnet', published('app:testnet', config));
  expect(body).toEqual({
    txTimeout: 60,
    features: { swap: true },
    changelly: { minAmount: 31, minAmountCurrency: 'usd' },
  });
  expect(headers['x-config-version']).toBe('0');
});

it.each([
  [
    'mainnet',
    'EQAIb6KmdfdDR7CN1GBqVJuP25iCnLKCvBlJ07Evuu2dzP5f',
    'EQDQ5UUyPHrLcQJlPAczd_fjxn8SLrlNQwolBznxCdSlfQwr',
    'EQChGuD1u0e7KUWHH5FaYh_ygcLXhsdG2nSHPXHW8qqnpZXW',
  ],
  ['testnet', expect.stringMatching(/^k/), expect.stringMatching(/^k/), expect.stringMatching(/^k/)],
])('names the contracts of USDe of a local %s', async (network, usde, stakedUsde, vault) => {
  isLocal = true;
  const { body } = await get(`/appconfig/${network}`);
  expect(body).toMatchObject({
    features: { swap: true, ethena: true },
    resources: {
      'staking.ethena.usdeMinter': usde,
      'staking.ethena.tsUSDeMinter': stakedUsde,
      'staking.ethena.usdeVault': vault,
    },
  });
  const { body: operators } = await get(`/appconfig/${network}`, published(`app:${network}`, config));
  expect(operators).toEqual(config);
});

it('answers the versions with the times of the first and the last change', async () => {
  const content = { ios: android, android };
  const { body } = await get('/appconfig/versions/sandbox', published('versions:testnet', content));
  expect(body).toEqual({
    ...content,
    createdAt: Date.parse('2026-03-01T12:00:00Z'),
    updatedAt: Date.parse('2026-03-02T12:00:00Z'),
  });
});

it('asks nobody to update, while no versions were published', async () => {
  const { body } = await get('/appconfig/versions/mainnet');
  const none = { critical: '0', latest: '0', url: '' };
  expect(body).toEqual({ ios: none, android: none, createdAt: 0, updatedAt: 0 });
});

it('has no other networks', async () => {
  const { body, status } = await get('/appconfig/devnet');
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: 'invalid_request', errors: [{ pointer: '/path/network' }] });
});
