import { pino } from 'pino';
import request from 'supertest';
import type { AccountRef } from '../../contracts/network';
import type { Question } from '../../projections/views';
import { createApp } from '../http/app';
import { historyRoutes } from './routes';

const TON = `0:${'1'.repeat(64)}`;
const SOLANA = 'So11111111111111111111111111111111111111112';

/** Routes over an account without transactions, whose answers are kept for ever. */
function history(watch: (account: AccountRef) => Promise<void>) {
  const kept = new Map<string, unknown>();
  const bindings = historyRoutes({
    async answer<T>({ asked }: Question, workOut: () => Promise<T>): Promise<T> {
      const question = JSON.stringify(asked);
      if (!kept.has(question)) kept.set(question, await workOut());
      return kept.get(question) as T;
    },
    transactions: {
      page: async () => ({ transactions: [], whole: true }),
      account: async () => ({ newest: null, backfilled: true }),
      sources: () => [],
      changed: async () => undefined,
    },
    solana: { page: async () => ({ items: [], settled: true }), sources: () => [] },
    watch,
    logger: pino({ level: 'silent' }),
  });
  return createApp(bindings, {
    logger: pino({ level: 'silent' }),
    trustedProxies: 0,
    checkResponses: true,
    authenticate: () => Promise.reject(new Error('nobody signs in here')),
  });
}

describe('reading a history', () => {
  it.each([
    ['v1', `/transactions/${TON}`],
    ['v2', `/transactions/v2/${TON}`],
  ])('%s has the account watched, also when the answer was kept', async (_, path) => {
    const watch = jest.fn(async () => undefined);
    const app = history(watch);
    await request(app).get(path).expect(200);
    await request(app).post(path).send({ cursor: {} }).expect(200);
    expect(watch.mock.calls).toEqual(Array(2).fill([{ chain: 'ton', network: 'mainnet', address: TON }]));
  });

  it('v3 has the accounts of both chains watched', async () => {
    const watch = jest.fn(async () => undefined);
    await request(history(watch))
      .post('/transactions/v3')
      .send({ account: { tonAddress: TON, solanaAddress: SOLANA }, network: 'testnet', cursor: {}, limit: 5 })
      .expect(200);
    expect(watch.mock.calls).toEqual([
      [{ chain: 'ton', network: 'testnet', address: TON }],
      [{ chain: 'solana', network: 'devnet', address: SOLANA }],
    ]);
  });

  it('answers although the account cannot be watched', async () => {
    const app = history(() => Promise.reject(new Error('the event store is away')));
    await request(app).get(`/transactions/${TON}`).expect(200);
  });
});
