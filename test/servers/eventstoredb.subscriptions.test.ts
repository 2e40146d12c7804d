import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { call, callUntilReady } from '../e2e/client';
import { startTidemark, tidemarkJson, type Tidemark } from '../e2e/tidemark';
import { NETWORKS_OFF } from '../local-networks';
import '../starts-programs';
import { until } from '../until';
import { temporaryFolder } from '../temporary-folder';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { startCluster, type Cluster } from './event-store-double/cluster';

const folder = temporaryFolder();
let cluster: Cluster;
let program: Tidemark;
let token: string;

beforeAll(async () => {
  cluster = await startCluster(folder, 1);
  const settings = { ...NETWORKS_OFF, DATA_DIR: join(folder, 'data'), EVENTSTORE_URL: cluster.url };
  program = await startTidemark(settings);
  ({ token } = await tidemarkJson<{ token: string }>(['token', '--role', 'admin', '--secure'], settings));
});
afterAll(async () => {
  await program?.kill('SIGTERM');
  await cluster?.stop();
});

const fee = () => ({
  id: randomUUID(),
  fee_type: 'swap',
  fee_amount: '1',
  gross_amount: '10',
  collection_status: 'collected',
  merchant_id: 'ann',
  merchant_name: 'Ann',
  merchant_slug: 'ann',
  created_at: '2025-01-03T10:00:00.000Z',
});

const FEES = 20;
/** Longer than after what a subscription that lacks its events asks the store how far it is. */
const PAUSE_MS = 400;
/** Of the command itself, and of one subscription. Each projection with a subscription of its own made some fifty for a fee. */
const MAX_READS = 10;

it('asks the store for what is new once, whatever the number of projections and reactions', async () => {
  const [node] = cluster.nodes;
  let position: string | null = null;
  const before = node!.reads;
  for (let count = 0; count < FEES; count++) {
    const { status, headers } = await call(program.url, 'POST', '/api/fees', {
      token,
      body: { fees: [fee()] },
    });
    expect(status).toBe(200);
    position = headers.get('x-ledger-position');
    await pause(PAUSE_MS);
  }
  expect((node!.reads - before) / FEES).toBeLessThan(MAX_READS);

  const body = { action: 'get_revenue', billingPeriod: '2025-01' };
  const revenue = await callUntilReady(program.url, 'POST', '/api/instance-admin', {
    token,
    body,
    after: position,
  });
  expect(revenue.body).toMatchObject({ summary: [{ count: FEES, total_fee: `${FEES}.00` }] });
});

/** More than one part of an export has. */
const ROWS = 10_050;
const ROWS_PER_CALL = 750;

it('answers what is asked as of the position of an answer, although no event of its own is there', async () => {
  const ask = (body: object, after?: string) =>
    callUntilReady(program.url, 'POST', '/api/instance-admin', { token, body, ...(after && { after }) });
  const fees = Array.from({ length: ROWS }, fee);
  let recorded = 0;
  for (let at = 0; at < ROWS; at += ROWS_PER_CALL) {
    const body = { fees: fees.slice(at, at + ROWS_PER_CALL) };
    const { headers } = await call(program.url, 'POST', '/api/fees', { token, body });
    recorded = Number(headers.get('x-ledger-position'));
  }
  const server = EventStoreDBClient.connectionString(cluster.url);
  await server.appendToStream('$stats-127.0.0.1:2113', jsonEvent({ type: '$statsCollected', data: {} }));
  await server.dispose();

  const filter = { billingPeriod: '2025-01' };
  const { headers } = await until(
    () => ask({ action: 'list_fee_ledger', ...filter }),
    answer => Number(answer.headers.get('x-ledger-position')) > recorded,
  );
  const position = headers.get('x-ledger-position')!;
  const then = await call(program.url, 'POST', '/api/instance-admin', {
    token,
    body: { action: 'get_revenue', asOf: Number(position) },
  });
  expect(then.status).toBe(200);
  expect((await ask({ action: 'get_fee_history', feeId: fees[0]!.id }, position)).status).toBe(200);
  const first = await ask({ action: 'export_revenue_csv' });
  expect(first.body).toMatchObject({ truncated: true });
  const { cursor } = first.body as { cursor: string };
  const { status, body } = await call(program.url, 'POST', '/api/instance-admin', {
    token,
    body: { action: 'export_revenue_csv', cursor },
  });
  expect([status, (body as { truncated: boolean }).truncated]).toEqual([200, false]);
});
