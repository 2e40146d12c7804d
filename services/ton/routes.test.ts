import request from 'supertest';
import type { FinalStatus } from '../../contracts/chain/ton-outcome';
import { createTestApp } from '../../test/app';
import { tonRoutes, type Relayed } from './routes';

const HASH = 'ab'.repeat(32);
const found = { account: `0:${'1'.repeat(64)}`, lt: '7', hash: 'of the transaction', time: 1_700_000_000 };

/** The status of a message that became a transaction. */
async function statusOf(final: FinalStatus | null, relayed?: Relayed): Promise<unknown> {
  const bindings = tonRoutes({
    cached: (_query, compute) => compute(),
    transactionByHash: async (_, hash) => (relayed && hash === HASH ? null : found),
    relayedByHash: async () => relayed ?? null,
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

  const transaction = { lt: '7', hash: Buffer.alloc(32, 1).toString('base64') };
  const ended = { inProgress: false, status: 'confirmed' };
  it.each<[Relayed, object]>([
    [
      { outcome: 'open', transaction: null },
      { found: false, inProgress: true, status: 'processing' },
    ],
    [
      { outcome: 'confirmed', transaction },
      { found: true, ...transaction, timestamp: found.time, ...ended, success: true },
    ],
    [
      { outcome: 'skipped', transaction },
      { found: true, ...transaction, timestamp: found.time, ...ended, success: false },
    ],
    [
      { outcome: 'bounced', transaction: null },
      { found: true, ...ended, success: false },
    ],
    [
      { outcome: 'expired', transaction: null },
      { found: false, ...ended, success: false },
    ],
  ])('of a request that a relayer has taken on: %j', async (relayed, expected) => {
    expect(await statusOf('success', relayed)).toEqual(expected);
  });
});
