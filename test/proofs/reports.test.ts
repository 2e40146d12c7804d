import { join } from 'node:path';
import { pino } from 'pino';
import request from 'supertest';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import type { Log } from '../../contracts/ports/log';
import { BILLING_PROJECTIONS, BILLING_VERSIONS } from '../../projections/billing/billing-projections';
import { createProjectionEngine } from '../../projections/engine/engine';
import { createCheckpoints } from '../../services/ledger-tree/checkpoints';
import { createProver } from '../../services/ledger-tree/prover';
import { createLedgerTreeReader } from '../../services/ledger-tree/reader';
import { runLedgerTreeBuilder } from '../../services/ledger-tree/builder';
import { openInstance, type TestInstance } from '../billing/instance';
import { readerApp } from '../billing/reader-app';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';

let instance: TestInstance;
beforeEach(async () => {
  instance = await openInstance();
  await instance.record([{ id: 'a' }, { id: 'b', fee_amount: '2.00' }]);
});
afterEach(() => instance.close());

describe('reports with a proof', () => {
  it('have the same answer as reports without a proof', async () => {
    const plain = await instance.act({ action: 'get_revenue' });
    const { body, headers } = await instance.act({ action: 'get_revenue', proof: true });
    const { proof, ...answer } = body as { proof: { position: number; head: string } };
    expect(answer).toEqual(plain.body);
    expect(headers['x-ledger-head']).toBe(`${proof.position}:${proof.head}`);
    expect(headers['x-ledger-position']).toBe(String(proof.position));
    const { body: none } = await instance.act({ action: 'get_revenue', proof: false });
    expect(none).toEqual(plain.body);
  });

  it('are correct as of the position of the proof', async () => {
    const first = (await instance.act({ action: 'get_revenue', proof: true })).body.proof as {
      position: number;
      bodyDigest: string;
      root: string;
    };
    await instance.record([{ id: 'c' }]);
    const { body } = await instance.act({ action: 'get_revenue', proof: true, asOf: first.position });
    expect(body.proof).toMatchObject({
      position: first.position,
      bodyDigest: first.bodyDigest,
      root: first.root,
      query: { action: 'get_revenue', asOf: first.position },
    });
  });

  it('are exact while fees are recorded', async () => {
    let stop = false;
    let n = 0;
    const load = (async () => {
      while (!stop) await instance.record([{ id: `load-${n++}` }]);
    })();
    try {
      for (let round = 0; round < 5; round++) {
        const { status, body } = await instance.act({ action: 'get_revenue', proof: true });
        expect(status).toBe(200);
        const { proof, ...answer } = body as { proof: { position: number; size: number } };
        // Each event so far is one collected fee, so the number of leaves is that of fees.
        expect((answer as { summary: { count: number }[] }).summary[0]!.count).toBe(proof.size);
      }
    } finally {
      stop = true;
      await load;
    }
  });

  it('are added to reports only, and only on request', async () => {
    const command = { action: 'generate_invoice', billingPeriod: '2026-11', proof: true };
    expect((await instance.act(command)).status).toBe(400);
    expect((await instance.act({ action: 'list_invoices' })).body).not.toHaveProperty('proof');
    expect((await instance.act({ action: 'get_revenue', proof: 'yes' })).status).toBe(400);
  });

  it('have the tree head in a header also without a proof, once it is known', async () => {
    await instance.act({ action: 'get_revenue', proof: true });
    await until(
      async () => (await instance.act({ action: 'get_revenue' })).headers['x-ledger-head'] !== undefined,
    );
    const { headers } = await instance.act({ action: 'list_fee_ledger' });
    expect(headers['x-ledger-head']).toMatch(/^\d+:[0-9a-f]{64}$/);
  });

  it('of two replicas, each with its own documents and ledger tree, are equal byte by byte', async () => {
    const replica = await openReplica();
    try {
      const { store } = instance;
      for (const action of ['get_revenue', 'list_fee_ledger', 'export_revenue_csv']) {
        const one = await instance.act({ action, proof: true });
        const other = await replica.ask({ action, proof: true }, await store.head());
        expect(other).toBe(one.text);
      }
    } finally {
      await replica.close();
    }
  });
});

/** Another replica for reports, on the same events and keys. */
async function openReplica() {
  const folder = temporaryFolder();
  const documents = openSqliteDocuments({ path: join(folder, 'documents.db') });
  const { store, deps, policies, ledgerKeys: keys } = instance;
  const stopping = new AbortController();
  const logger = pino({ level: 'silent' });
  const engine = createProjectionEngine({
    projections: BILLING_PROJECTIONS,
    documents,
    store,
    log: {} as Log,
    clock: () => new Date(),
    logger,
    signal: stopping.signal,
  });
  const reader = createLedgerTreeReader(documents);
  const checkpoints = createCheckpoints({ store, instanceId: 'local', keys });
  const running = [
    engine.run(stopping.signal),
    runLedgerTreeBuilder(
      {
        store,
        documents,
        reader,
        checkpoints,
        logger,
        now: () => new Date(),
        checkpointEvery: { events: 10_000, milliseconds: 3_600_000 },
      },
      stopping.signal,
    ).done,
  ];
  const prover = createProver({
    reader,
    checkpoints,
    keys,
    instanceId: 'local',
    timeZone: 'UTC',
    projections: BILLING_VERSIONS,
    timeoutMs: 60_000,
  });
  const app = readerApp({ ...deps, views: engine.views, prover }, policies);
  return {
    ask: async (body: object, position: number): Promise<string> =>
      (await request(app).post('/api/instance-admin').set('X-Min-Position', String(position)).send(body))
        .text,
    async close() {
      stopping.abort();
      await Promise.all(running);
      await documents.close();
    },
  };
}
