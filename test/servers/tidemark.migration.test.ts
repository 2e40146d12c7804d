import { join } from 'node:path';
import { openMongoDocuments } from '../../infra/engines/documents/mongodb/mongodb-documents';
import { openEmbeddedEngines } from '../../infra/engines/engines';
import { openEventStoreDb } from '../../infra/engines/event-store/eventstoredb/eventstoredb-event-store';
import { copyProgress } from '../../infra/cli/migrate/copy-task';
import type { MigrationReport } from '../../infra/cli/migrate/migrate';
import { TOPICS } from '../../infra/program/features';
import { createLocalWakeUps } from '../../infra/engines/wake-ups/local';
import { fillFees } from '../bench/fill/fees';
import { fillSolanaHistory } from '../bench/fill/solana-history';
import { fillTonHistories } from '../bench/fill/ton-history';
import { report } from '../crash/report';
import { spawnTidemark, startTidemark, tidemarkJson, type Settings } from '../e2e/tidemark';
import { scaled } from '../random';
import { LOCAL_MAINNETS } from '../local-networks';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import { openFleet, type Fleet } from './tidemark/fleet';
import { startDedicatedServers, type DedicatedServers } from './tidemark/dedicated-servers';

const EVENTS = Number(process.env['MIGRATION_EVENTS'] ?? Math.min(scaled(3_000), 9_000));
const OWNER = 'Owner1111111111111111111111111111111111111';
const PROJECTING_TIMEOUT_MS = 900_000;
const COPYING_TIMEOUT_MS = 1_800_000;

jest.setTimeout(3_600_000);

const folder = temporaryFolder();
let servers: DedicatedServers;
let fleet: Fleet | undefined;
beforeAll(async () => {
  servers = await startDedicatedServers();
});
afterAll(async () => {
  await fleet?.stop();
  await servers?.stop();
});

interface Answer {
  readonly status: number;
  readonly position: string | null;
  readonly text: string;
}

interface Question {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

/** The body of the program's answer, once it has projected everything up to the position. */
async function answer(url: string, token: string, after: number, question: Question): Promise<string> {
  const { text } = await until<Answer>(
    async () => {
      const response = await fetch(`${url}${question.path}`, {
        method: question.method,
        ...(question.body && { body: JSON.stringify(question.body) }),
        headers: {
          'content-type': 'application/json',
          'x-min-position': String(after),
          authorization: `Bearer ${token}`,
        },
      });
      return {
        status: response.status,
        position: response.headers.get('x-ledger-position'),
        text: await response.text(),
      };
    },
    ({ status }) => status === 200,
    PROJECTING_TIMEOUT_MS,
  );
  return text;
}

const BILLING: readonly Question[] = [
  { action: 'get_revenue' },
  { action: 'list_fee_ledger', page: 1, pageSize: 200 },
  { action: 'list_fee_ledger', status: 'collected', page: 5, pageSize: 100 },
  { action: 'export_revenue_csv', dateFrom: '2024-01-01', dateTo: '2024-01-31' },
].map(body => ({ method: 'POST', path: '/api/instance-admin', body }));

async function fill(settings: Settings): Promise<{ head: number; account: string }> {
  const engines = openEmbeddedEngines({ DATA_DIR: settings['DATA_DIR']! });
  await engines.log.declare(TOPICS);
  await fillFees(engines.store, EVENTS);
  const [ton] = await fillTonHistories(engines.log, 20, 100);
  await fillSolanaHistory(engines.log, OWNER, 500);
  const head = await engines.store.head();
  await engines.close();
  return { head, account: ton!.address };
}

test(`${EVENTS} events and a log are migrated to other engines, with a kill -9 half-way`, async () => {
  const embedded: Settings = {
    ...LOCAL_MAINNETS,
    DATA_DIR: join(folder, 'embedded'),
    LOCAL_TRAFFIC: 'false',
  };
  const { head, account } = await fill(embedded);
  const questions: readonly Question[] = [
    ...BILLING,
    { method: 'GET', path: `/transactions/${encodeURIComponent(account)}` },
  ];
  const old = await startTidemark(embedded);
  const { token } = await tidemarkJson<{ token: string }>(['token', '--role', 'admin', '--secure'], embedded);
  const before: string[] = [];
  for (const question of questions) before.push(await answer(old.url, token, head, question));
  expect(await old.kill('SIGTERM')).toEqual({ code: 0, signal: null });

  const settings: Settings = { ...embedded, ...servers.settings };
  const args = ['migrate', '--from', 'embedded', '--to', 'distributed'];
  const target = await openEventStoreDb({ url: servers.running.eventstoredb.url });
  const notes = await openMongoDocuments({
    url: servers.running.mongodb.url,
    wakeUps: createLocalWakeUps(),
  });
  const copied = async (): Promise<number> => (await copyProgress(notes, 'events').load())?.['copied'] ?? 0;
  const began = performance.now();
  const first = spawnTidemark(settings, args);
  await until(copied, count => count >= EVENTS / 2, COPYING_TIMEOUT_MS);
  expect(await first.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
  const killed = performance.now();
  const copiedBeforeKill = await copied();
  await notes.close();
  const moved = await tidemarkJson<MigrationReport>(args, settings, COPYING_TIMEOUT_MS);
  const done = performance.now();
  expect(moved.equal).toBe(true);
  const newHead = await target.head();
  await target.close();

  fleet = await openFleet(settings, { DATA_DIR: embedded['DATA_DIR']! });
  // The answers wait until everything is folded.
  await fleet.add('projections', 1, 'listening');
  const [api] = await fleet.add('api', 1, 'listening');
  const after: string[] = [];
  for (const question of questions) after.push(await answer(api!.url, token, newHead, question));
  const folded = performance.now();
  report([
    ...moved.compared.map(
      ({ name, from, to }) => [`${name}: source, target`, `${from.count}, ${to.count}`] as const,
    ),
    ['events copied before the kill', copiedBeforeKill],
    ['events a second until then', Math.round((copiedBeforeKill / (killed - began)) * 1_000)],
    ['seconds of both runs, with the comparison', Math.round((done - began) / 1_000)],
    ['seconds until the projections were built', Math.round((folded - done) / 1_000)],
    ['answers compared', after.length],
    ['bytes of get_revenue', after[0]!.length],
  ]);
  for (const [index, text] of after.entries())
    expect(withoutCursor(text)).toBe(withoutCursor(before[index]!));
});

/** A cursor has a position, which is another one in the other store. */
function withoutCursor(answer: string): string {
  return answer.replace(/,"cursor":"[\w-]+"/, '');
}
