import { join } from 'node:path';
import { call, callUntilReady, send, type Answer } from '../e2e/client';
import { fee } from '../e2e/installation';
import { startTidemark, tidemarkJson, type Settings, type Tidemark } from '../e2e/tidemark';
import { NETWORKS_OFF } from '../local-networks';
import '../starts-programs';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import { eventstoredb } from './eventstoredb';
import { mongodb } from './mongodb';
import type { RunningServer } from './server';

/* What a program says, and does, while one engine is down. */

const folder = temporaryFolder();
let running: Readonly<Record<'event_store' | 'documents', RunningServer>>;
let program: Tidemark;
let token: string;

const record = (id: string, headers: Record<string, string> = {}): Promise<Answer> =>
  send(program.url, 'POST', '/api/fees', {
    body: JSON.stringify({ fees: [fee(id)] }),
    headers: { authorization: `Bearer ${token}`, ...headers },
  });

const act = (body: object): Promise<Answer> =>
  call(program.url, 'POST', '/api/instance-admin', { token, body });

beforeAll(async () => {
  const [store, documents] = await Promise.all([
    eventstoredb.start(join(folder, 'events')),
    mongodb.start(join(folder, 'documents')),
  ]);
  running = { event_store: store, documents };
  const settings: Settings = {
    ...NETWORKS_OFF,
    DATA_DIR: join(folder, 'data'),
    EVENTSTORE_URL: store.url,
    MONGODB_URL: documents.url,
  };
  program = await startTidemark(settings);
  ({ token } = await tidemarkJson<{ token: string }>(['token', '--role', 'admin', '--secure'], settings));
  const { headers } = await record('first');
  const after = headers.get('x-ledger-position');
  await callUntilReady(program.url, 'POST', '/api/instance-admin', {
    token,
    after,
    body: { action: 'get_revenue' },
  });
});
afterAll(async () => {
  await program?.kill('SIGTERM');
  await Promise.all(Object.values(running ?? {}).map(server => server.stop()));
});

interface Report {
  readonly status: string;
  readonly reads?: boolean;
  readonly writes?: boolean;
  readonly checks: Readonly<Record<string, string>>;
}

const health = async (): Promise<Answer & { readonly body: Report }> =>
  send(program.operatorsUrl, 'GET', '/health/ready');

/** They need documents alone. */
const READS: readonly (() => Promise<Answer>)[] = [
  () => act({ action: 'get_revenue' }),
  () => act({ action: 'list_fee_ledger' }),
  () => act({ action: 'list_invoices' }),
  () => send(program.url, 'GET', '/wallet/banners'),
];

test.each([
  ['event_store', 'The event store engine', { reads: true, writes: false }, 200, 503],
  ['documents', 'The documents engine', { reads: false, writes: true }, 503, 200],
] as const)('%s is down', async (name, engine, possible, read, written) => {
  await running[name].kill();
  const { status, body } = await until(
    health,
    answer => answer.body.status === 'not_ready' && /ECONNREFUSED/.test(answer.body.checks[name]!),
  );
  expect([status, body]).toMatchObject([503, possible]);
  // Each part that is not ready says that it is for this engine, and how it cannot be reached.
  const where = /:(\d+)/.exec(running[name].url)![1]!;
  const reasons = Object.values((body as Report).checks).filter(reason => !['ok', 'off'].includes(reason));
  for (const reason of reasons)
    expect(reason).toMatch(
      new RegExp(
        `^${name.replace('_', ' ')}: not available: (MongoDB: )?connect ECONNREFUSED 127.0.0.1:${where}$`,
      ),
    );
  const publicly = await send(program.url, 'GET', '/health/ready');
  expect([publicly.status, publicly.body]).toEqual([503, { status: 'not_ready', ...possible }]);

  const answers = [
    ...(await Promise.all(READS.map(async ask => [read, await ask()] as const))),
    [written, await record(`while-${name}`)] as const,
  ];
  for (const [expected, { status, headers, body }] of answers) {
    expect(status).toBe(expected);
    if (expected === 200) continue;
    expect(headers.get('retry-after')).not.toBeNull();
    expect(body).toMatchObject({ code: 'engine_unavailable', detail: expect.stringContaining(engine) });
  }

  await running[name].restart();
  await until(health, answer => answer.body.status === 'ready');
  expect((await record(`after-${name}`)).status).toBe(200);
});
