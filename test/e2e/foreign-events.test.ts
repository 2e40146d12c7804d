import { join } from 'node:path';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import { NETWORKS_OFF } from '../local-networks';
import '../starts-programs';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import { call, callUntilReady, send } from './client';
import { fee } from './installation';
import { startTidemark, tidemarkJson, type Tidemark } from './tidemark';

/** What another program writes into the streams of this one. */
const THEIRS = { id: '6f1b2d4e-0000-4000-8000-000000000001', type: 'SomethingElse', data: {}, metadata: {} };

const data = temporaryFolder();
const settings = { ...NETWORKS_OFF, DATA_DIR: data };
let program: Tidemark;
afterAll(() => program?.kill('SIGTERM'));

async function record(id: string): Promise<string | null> {
  const { token } = await tidemarkJson<{ token: string }>(['token', '--role', 'admin', '--secure'], settings);
  const body = { fees: [fee(id)] };
  const { status, headers } = await call(program.url, 'POST', '/api/fees', { token, body });
  expect(status).toBe(200);
  const after = headers.get('x-ledger-position');
  const ledger = { action: 'list_fee_ledger' };
  const read = await callUntilReady(program.url, 'POST', '/api/instance-admin', {
    token,
    body: ledger,
    after,
  });
  expect(JSON.stringify(read.body)).toContain(id);
  return after;
}

it('events of another program are skipped, and shown as a warning', async () => {
  program = await startTidemark(settings);
  await record('before');
  await program.kill('SIGTERM');
  const store = openSqliteEventStore({ path: join(data, 'events.sqlite') });
  await store.append('fee-theirs', 'no_stream', [THEIRS]);
  await store.close();

  program = await startTidemark(settings);
  await record('after');
  const health = () => send(program.operatorsUrl, 'GET', '/health/ready');
  const warned = await until(health, ({ body }) => !['ok', undefined].includes(body.checks?.foreign_events));
  expect([warned.status, warned.body]).toMatchObject([200, { status: 'degraded' }]);
  const warning =
    /^1 skipped that another program has written, first SomethingElse in fee-theirs at position/;
  expect(warned.body.checks.foreign_events).toMatch(warning);
  const status = await tidemarkJson<{ program: { checks: object } }>(['status'], settings);
  expect(status.program.checks).toMatchObject({ foreign_events: expect.stringMatching(warning) });
});
