import { join } from 'node:path';
import { pino } from 'pino';
import type { Log } from '../../contracts/ports/log';
import { openSqliteLog } from '../../infra/engines/log/sqlite/sqlite-log';
import { runMessageReaction, type MessageReaction } from '../../services/reactions/message-reaction';
import { InMemoryDocuments } from '../doubles/documents';
import { openRecordedJobs } from '../doubles/jobs';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';

const push: MessageReaction = {
  name: 'push',
  topics: ['transfers'],
  from: 'now',
  jobs: ({ key, value }) => [{ queue: 'push', id: `push-${value.toString()}`, data: { account: key } }],
};

let folder: string;
let log: Log;
let stopped: AbortController;
let running: Promise<void>;
const documents = new InMemoryDocuments();
const jobs = openRecordedJobs();

beforeAll(async () => {
  folder = temporaryFolder();
  log = openSqliteLog({ path: join(folder, 'log.db') });
  await log.declare([{ name: 'transfers', partitions: 2, cleanup: 'delete' }]);
});
afterAll(async () => {
  await log.close();
  await jobs.close();
});

const start = (): void => {
  stopped = new AbortController();
  const deps = { log, documents, jobs, logger: pino({ level: 'silent' }) };
  running = runMessageReaction(deps, push, stopped.signal);
};
const stop = async (): Promise<void> => {
  stopped.abort();
  await running;
};
const publish = (...texts: string[]) =>
  log.publish(
    'transfers',
    texts.map(text => ({ key: text, value: Buffer.from(text) })),
  );
const enqueued = () => jobs.added.map(({ data }) => data['account']).sort();

it('enqueues a job for each message since its first start, also for those published while it was down', async () => {
  await publish('before');
  start();
  const startedAt = (partition: number) => documents.checkpoint(`reaction/push/transfers/${partition}`);
  await until(async () => (await startedAt(0)) !== null && (await startedAt(1)) !== null);
  await stop();

  await publish('a', 'b', 'c');
  jobs.failAfter = 2;
  start();
  await until(() => jobs.added.length === 3);
  await publish('d');
  await until(() => jobs.added.length === 4);
  await stop();
  expect(enqueued()).toEqual(['a', 'b', 'c', 'd']);

  jobs.added.length = 0;
  await publish('e');
  start();
  await until(() => jobs.added.length > 0);
  await stop();
  expect(enqueued()).toEqual(['e']);
});
