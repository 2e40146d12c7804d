import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { CrashingDocuments } from '../../test/doubles/documents';
import { InMemoryEventStore } from '../../test/doubles/event-store';
import { openRecordedJobs, type RecordedJobs } from '../../test/doubles/jobs';
import { reactionStatus, runReaction, type Reaction } from './event-reaction';
import { until } from '../../test/until';

const greet: Reaction = {
  name: 'greet',
  categories: ['guest'],
  from: 'beginning',
  jobs: ({ id, data }) => [{ queue: 'greetings', id: `greet-${id}`, data }],
};

let stopped: AbortController;
let store: InMemoryEventStore;
let documents: CrashingDocuments;
let jobs: RecordedJobs;
let running: Promise<void>[];
beforeEach(() => {
  stopped = new AbortController();
  [store, documents, jobs] = [new InMemoryEventStore(), new CrashingDocuments(), openRecordedJobs()];
  running = [];
});
const stop = async () => {
  stopped.abort();
  await Promise.all(running);
};
afterEach(async () => {
  await stop();
  await jobs.close();
});

const start = (reaction = greet): void => {
  const logger = pino({ level: 'silent' });
  running.push(runReaction({ store, documents, jobs, logger }, reaction, stopped.signal));
};
const arrive = (guest: string) =>
  store.append(`guest-${guest}`, 'any', [{ id: randomUUID(), type: 'Arrived', data: { guest } }]);
const greeted = () => jobs.added.map(({ data }) => data['guest']);
const caughtUp = async () => (await reactionStatus({ store, documents }, greet)).lag === 0;

describe('a reaction', () => {
  it('enqueues a job for each event of its categories, in order, with its id kept when done', async () => {
    start();
    await arrive('ann');
    await store.append('room-1', 'any', [{ id: randomUUID(), type: 'Cleaned', data: {} }]);
    await arrive('bob');
    await until(caughtUp);
    expect(greeted()).toEqual(['ann', 'bob']);
    expect(jobs.added[0]).toMatchObject({ queue: 'greetings', keepIdMs: 86_400_000 });
  });

  it('continues from its checkpoint', async () => {
    start();
    await arrive('ann');
    await until(caughtUp);
    await stop();
    stopped = new AbortController();
    jobs.added.length = 0;
    await arrive('bob');
    start();
    await until(caughtUp);
    expect(greeted()).toEqual(['bob']);
  });

  it('skips history when it starts now, but nothing since its first start', async () => {
    const fromNow: Reaction = { ...greet, from: 'now' };
    await arrive('ann');
    start(fromNow);
    await until(async () => (await documents.checkpoint('reaction/greet')) !== null);
    await stop();
    stopped = new AbortController();
    await arrive('bob');
    start(fromNow);
    await until(caughtUp);
    expect(greeted()).toEqual(['bob']);
  });

  it('enqueues again after a crash what may be missing, so that each job exists once', async () => {
    for (const guest of ['ann', 'bob', 'cid']) await arrive(guest);
    jobs.failAfter = 1;
    documents.crashAfter = 1; // the checkpoint after the first batch
    start();
    await until(caughtUp);
    expect(greeted().sort()).toEqual(['ann', 'bob', 'cid']);
  });

  it('can be run by two programs', async () => {
    start();
    start();
    for (const guest of ['ann', 'bob', 'cid']) await arrive(guest);
    await until(caughtUp);
    expect(greeted()).toEqual(['ann', 'bob', 'cid']);
  });

  it('does not skip an event it cannot handle', async () => {
    let broken = true;
    start({
      ...greet,
      jobs(event) {
        if (broken && event.data['guest'] === 'bob') throw new Error('unknown guest');
        return greet.jobs(event);
      },
    });
    for (const guest of ['ann', 'bob', 'cid']) await arrive(guest);
    await until(() => greeted().includes('ann'));
    expect(await reactionStatus({ store, documents }, greet)).toMatchObject({ position: -1, lag: 3 });
    broken = false;
    await until(caughtUp);
    expect(greeted()).toEqual(['ann', 'bob', 'cid']);
  });
});
