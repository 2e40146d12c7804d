import { ledgerKeysFile } from '../../infra/program/features/ledger-tree/ledger-tree';
import { openInstance, type TestInstance } from '../billing/instance';
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
      for (const action of ['get_revenue', 'list_fee_ledger', 'export_revenue_csv']) {
        const one = await instance.act({ action, proof: true });
        const other = await replica.act({ action, proof: true });
        expect(other.text).toBe(one.text);
      }
    } finally {
      await replica.close();
    }
  });
});

/** Another replica for reports, on the same events and keys. */
function openReplica(): Promise<TestInstance> {
  return openInstance({
    settings: { LEDGER_KEYS_FILE: ledgerKeysFile(instance.config) },
    engines: { store: { ...instance.store, close: async () => undefined } },
  });
}
