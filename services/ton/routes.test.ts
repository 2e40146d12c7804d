import request from 'supertest';
import type { FinalStatus } from '../../contracts/chain/ton-outcome';
import { createTestApp } from '../../test/app';
import { tonRoutes } from './routes';

const HASH = 'ab'.repeat(32);
const found = { account: `0:${'1'.repeat(64)}`, lt: '7', hash: 'of the transaction', time: 1_700_000_000 };

/** The status of a message that became a transaction. */
async function statusOf(final: FinalStatus | null): Promise<unknown> {
  const bindings = tonRoutes({
    cached: (_query, compute) => compute(),
    transactionByHash: async () => found,
    hashSource: () => ({ collection: 'none' }),
    transactions: { status: async () => final, sources: () => [] },
  });
  const app = createTestApp(bindings);
  const { body } = await request(app)
    .post('/ton/transactions/status/mainnet')
    .send({ txHash: HASH })
    .expect(200);
  return body;
}

const known = { found: true, lt: '7', hash: 'of the transaction', timestamp: 1_700_000_000 };

describe('POST /ton/transactions/status/{network}', () => {
  it.each([
    ['pending', { inProgress: true, status: 'processing' }],
    [null, { inProgress: true, status: 'processing' }],
    ['success', { inProgress: false, status: 'confirmed', success: true }],
    ['failed', { inProgress: false, status: 'confirmed', success: false }],
  ] as const)('of a transaction that is %s', async (final, expected) => {
    expect(await statusOf(final)).toEqual({ ...known, ...expected });
  });
});
