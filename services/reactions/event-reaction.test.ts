import { pino } from 'pino';
import type { Jobs } from '../../contracts/ports/jobs';
import { InMemoryDocumentsDouble } from '../../test/doubles/documents';
import { InMemoryEventStoreDouble } from '../../test/doubles/event-store';
import { InMemoryJobsDouble } from '../../test/doubles/jobs';
import { reactionStatus, runReaction, type Reaction } from './event-reaction';
import { until } from '../../test/until';

const greet: Reaction = {
  name: 'greet',
  categories: ['guest'],
  from: 'beginning',
  jobs: ({ id, data }) => [{ queue: 'greetings', id: `greet-${id}`, data }],
};

let stopped: AbortController;
let store: InMemoryEventStoreDouble;
let documents: InMemoryDocumentsDouble;
let jobs: InMemoryJobsDouble;
let running: Promise<void>[];
beforeEach(() => {
  stopped = new AbortController();
  [store, documents, jobs] = [
    new InMemoryEventStoreDouble(),
    new InMemoryDocumentsDouble(),
    new InMemoryJobsDouble(),
  ];
  running = [];
});
const stop = async () => {
  stopped.abort();
  await Promise.all(running);
};
afterEach(stop);

const start = (reaction = greet): void => {
  const logger = pino({ level: 'silent' });
  running.push(
    runReaction({ store, documents, jobs: jobs as unknown as Jobs, logger }, reaction, stopped.signal),
  );
};
let ids = 0;
const arrive = (guest: string) =>
  store.append(`guest-${guest}`, 'any', [{ id: String(ids++), type: 'Arrived', data: { guest } }]);
const greeted = () => jobs.added.map(({ data }) => data['guest']);
const caughtUp = async () => (await reactionStatus({ store, documents }, greet)).lag === 0;

describe('a reaction', () => {
  it('asks for a job for each event of its categories, in order, to be remembered when done', async () => {
    start();
    await arrive('ann');
    await store.append('room-1', 'any', [{ id: 'r', type: 'Cleaned', data: {} }]);
    await arrive('bob');
    await until(caughtUp);
    expect(greeted()).toEqual(['ann', 'bob']);
    expect(jobs.added[0]).toMatchObject({ queue: 'greetings', keep: 86_400_000 });
  });

  it('goes on where it was', async () => {
    start();
    await arrive('ann');
    await until(caughtUp);
    await stop();
    stopped = new AbortController();
    jobs.added.length = 0; // long done and forgotten
    await arrive('bob');
    start();
    await until(caughtUp);
    expect(greeted()).toEqual(['bob']);
  });

  it('leaves history alone when it begins with now, but nothing that happened since', async () => {
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

  it('asks again for what may be missing after a crash, so that each job is there once', async () => {
    for (const guest of ['ann', 'bob', 'cid']) await arrive(guest);
    jobs.failAfter = 1;
    documents.crashAfter = 1; // the checkpoint after the first batch
    start();
    await until(caughtUp);
    expect(greeted()).toEqual(['ann', 'bob', 'cid']);
  });

  it('may be run by two programs', async () => {
    start();
    start();
    for (const guest of ['ann', 'bob', 'cid']) await arrive(guest);
    await until(caughtUp);
    expect(greeted()).toEqual(['ann', 'bob', 'cid']);
  });

  it('does not pass over an event it cannot handle', async () => {
    let broken = true;
    start({
      ...greet,
      jobs(event) {
        if (broken && event.data['guest'] === 'bob') throw new Error('who is bob?');
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
