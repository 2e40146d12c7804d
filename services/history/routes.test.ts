import { pino } from 'pino';
import request from 'supertest';
import type { AccountRef } from '../../contracts/network';
import { Problem } from '../../contracts/problem';
import type { CachedQuery } from '../../projections/views';
import { createApp } from '../http/app';
import type { Watch } from '../watch-account';
import { historyRoutes } from './routes';

const TON = `0:${'1'.repeat(64)}`;
const SOLANA = 'So11111111111111111111111111111111111111112';

/** Routes over an account without transactions, with a cache that never expires. */
function history(watch: Watch) {
  const cache = new Map<string, unknown>();
  const bindings = historyRoutes({
    async cached<T>({ key }: CachedQuery, compute: () => Promise<T>): Promise<T> {
      const query = JSON.stringify(key);
      if (!cache.has(query)) cache.set(query, await compute());
      return cache.get(query) as T;
    },
    transactions: {
      page: async () => ({ transactions: [], isFull: false, hasMore: false }),
      account: async () => ({ newest: null, knownSince: () => 0n }),
      withLts: async () => [],
      status: async () => null,
      sources: () => [],
      waitForChange: async () => undefined,
    },
    traces: {
      places: async () => [],
      source: () => ({ collection: 'none' }),
    },
    solana: { page: async () => [], sources: () => [] },
    watch,
    logger: pino({ level: 'silent' }),
  });
  return createApp(bindings, {
    logger: pino({ level: 'silent' }),
    trustedProxies: 0,
    checkResponses: true,
  });
}

describe('reading a history', () => {
  it.each([
    ['v1', `/transactions/${TON}`],
    ['v2', `/transactions/v2/${TON}`],
  ])('%s has the account watched, also when the response was cached', async (_, path) => {
    const watch = jest.fn(async (_account: AccountRef) => 1);
    const app = history(watch);
    await request(app).get(path).expect(200);
    await request(app).post(path).send({ cursor: {} }).expect(200);
    expect(watch.mock.calls.map(([account]) => [account])).toEqual(
      Array(2).fill([{ chain: 'ton', network: 'mainnet', address: TON }]),
    );
  });

  it('v3 watches the accounts of both chains', async () => {
    const watch = jest.fn(async (_account: AccountRef) => 1);
    await request(history(watch))
      .post('/transactions/v3')
      .send({ account: { tonAddress: TON, solanaAddress: SOLANA }, network: 'testnet', cursor: {}, limit: 5 })
      .expect(200);
    expect(watch.mock.calls.map(([account]) => [account])).toEqual([
      [{ chain: 'ton', network: 'testnet', address: TON }],
      [{ chain: 'solana', network: 'devnet', address: SOLANA }],
    ]);
  });

  it('responds although the account cannot be watched', async () => {
    const app = history(() => Promise.reject(new Error('the event store is unavailable')));
    await request(app).get(`/transactions/${TON}`).expect(200);
  });

  it('responds with the problem when the account may not be watched', async () => {
    const refusal = new Problem('watch_limit_reached', 'No more than 5 accounts are watched at a time.', {
      retryAfter: 60,
    });
    for (const path of [`/transactions/${TON}`, `/transactions/v2/${TON}`, `/actions/${TON}`]) {
      const { body } = await request(history(() => Promise.reject(refusal)))
        .get(path)
        .expect(503);
      expect(body).toMatchObject({ code: 'watch_limit_reached' });
    }
  });
});
