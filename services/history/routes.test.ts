import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import request from 'supertest';
import { ALL_NETWORKS, type AccountRef, type FollowedNetworks } from '../../contracts/network/network';
import { Problem } from '../../contracts/problem/problem';
import { createQueryCache } from '../../projections/engine/query-cache';
import { createTestApp } from '../../test/app';
import { until } from '../../test/until';
import type { Watch } from '../watch-account';
import { historyRoutes, type HistoryDeps } from './routes';

const TON = `0:${'1'.repeat(64)}`;
const SOLANA = 'So11111111111111111111111111111111111111112';

const NO_TRANSACTIONS: HistoryDeps['transactions'] = {
  page: async () => ({ transactions: [], isFull: false, hasMore: false }),
  account: async () => ({ newest: null, knownSince: () => 0n }),
  withLts: async () => [],
  status: async () => null,
  sources: () => [],
  waitForChange: async () => undefined,
};

/** Routes over an account without transactions, with a cache that never expires. */
function history(
  watch: Watch,
  followed: FollowedNetworks = ALL_NETWORKS,
  more: Partial<Pick<HistoryDeps, 'cached' | 'transactions'>> = {},
) {
  const bindings = historyRoutes({
    cached: createQueryCache(async () => 'unchanged'),
    transactions: NO_TRANSACTIONS,
    traces: {
      places: async () => [],
      has: async () => false,
      source: () => ({ collection: 'none' }),
    },
    solana: { page: async () => [], sources: () => [] },
    cardEvents: async () => async () => ({ events: [], more: false }),
    watch,
    followed,
    logger: pino({ level: 'silent' }),
    ...more,
  });
  return createTestApp(bindings, { followed });
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

  it('does not end for one client because another leaves who has asked for the same page before', async () => {
    let isBackfilled = false;
    const waits: AbortSignal[] = [];
    const reads: unknown[] = [];
    const wakes = new Set<() => void>();
    const cached = createQueryCache(async () => 'unchanged');
    const app = history(async () => 1, ALL_NETWORKS, {
      cached: (...query) => {
        reads.push(query);
        return cached(...query);
      },
      transactions: {
        ...NO_TRANSACTIONS,
        account: async () => (isBackfilled ? { newest: null, knownSince: () => 0n } : null),
        waitForChange: (_network, _address, _timeoutMs, signal) =>
          new Promise(resolve => {
            waits.push(signal!);
            wakes.add(resolve);
            signal!.addEventListener('abort', () => resolve(), { once: true });
          }),
      },
    });
    const server = app.listen(0);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/transactions/${TON}`;
    const leaving = new AbortController();
    const left = fetch(url, { signal: leaving.signal });
    await until(() => waits.length === 1);
    const staying = fetch(url);
    await until(() => reads.length === 2);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await until(() => waits.length === 2);
    isBackfilled = true;
    for (const wake of wakes) wake();
    expect((await staying).status).toBe(200);
    server.close();
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

  const v3 = (followed: FollowedNetworks, network: string, solanaAddress = SOLANA) => {
    const watch = jest.fn(async (_account: AccountRef) => 1);
    const asked = request(history(watch, followed))
      .post('/transactions/v3')
      .send({ account: { tonAddress: TON, solanaAddress }, network, cursor: {}, limit: 5 });
    return { asked, chains: () => watch.mock.calls.map(([{ chain }]) => chain) };
  };

  it.each([
    ['Solana', { ...ALL_NETWORKS, solana: [] }, ['ton'], ['solana']],
    ['TON', { ...ALL_NETWORKS, ton: [] }, ['solana'], ['ton']],
  ] as const)('v3 answers the other chain where %s is off, and says so', async (_, followed, read, off) => {
    const { asked, chains } = v3(followed, 'mainnet');
    const { body } = await asked.expect(200);
    expect(body).toEqual({ data: [], hasMore: false, cursor: {}, notServed: off });
    expect(chains()).toEqual(read);
  });

  it('v3 is refused where nothing of a wallet is served', async () => {
    const solanaOnly = { ton: ['mainnet'], solana: ['devnet'] } as const;
    for (const { asked, chains } of [
      v3({ ton: [], solana: [] }, 'mainnet'),
      v3({ ton: ['mainnet'], solana: ['mainnet'] }, 'testnet'),
      v3(solanaOnly, 'testnet', ''),
    ]) {
      const { body, headers } = await asked.expect(404);
      expect(body).toMatchObject({ code: 'network_off' });
      expect(headers).not.toHaveProperty('retry-after');
      expect(chains()).toEqual([]);
    }
    await v3(solanaOnly, 'testnet').asked.expect(200);
  });

  it('v3 says nothing of a chain on which the wallet has no account', async () => {
    const { body } = await v3({ ...ALL_NETWORKS, solana: [] }, 'mainnet', '').asked.expect(200);
    expect(body).not.toHaveProperty('notServed');
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
