import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { CrashingDocuments } from '../../test/doubles/documents';
import { InMemoryEventStore } from '../../test/doubles/event-store';
import { openRecordedJobs } from '../../test/doubles/jobs';
import { until } from '../../test/until';
import { runReaction, type Reaction } from './event-reaction';
import { lowerReactions, reactionProgress } from './progress';

const greet: Reaction = {
  name: 'greet',
  categories: ['guest'],
  from: 'beginning',
  jobs: ({ id, data }) => [{ queue: 'greetings', id: `greet-${id}`, data }],
};
const log = { endOffsets: async () => [] };
const documents = new CrashingDocuments();
const jobs = openRecordedJobs();
afterAll(() => jobs.close());

const arrive = (store: InMemoryEventStore, guest: string) =>
  store.append(`guest-${guest}`, 'any', [{ id: randomUUID(), type: 'Arrived', data: { guest } }]);
const seen = async () => (await reactionProgress({ documents, log }, [greet])).map(each => each.seen);

async function react(store: InMemoryEventStore, guests: number): Promise<void> {
  const stop = new AbortController();
  const running = runReaction(
    { store, documents, jobs, logger: pino({ level: 'silent' }) },
    greet,
    stop.signal,
  );
  await until(async () => (await seen())[0] === guests - 1);
  stop.abort();
  await running;
}

it('a reaction that was beyond the end of its store continues from there', async () => {
  const store = new InMemoryEventStore();
  for (const guest of ['ann', 'bob', 'cid']) await arrive(store, guest);
  await react(store, 3);

  const older = new InMemoryEventStore();
  await arrive(older, 'ann');
  expect(await seen()).toEqual([2]);
  await lowerReactions({ store: older, documents, log }, [greet]);
  expect(await seen()).toEqual([0]);
  await arrive(older, 'dan');
  await react(older, 2);
  expect(jobs.added.map(({ data }) => data['guest'])).toEqual(['ann', 'bob', 'cid', 'dan']);

  await lowerReactions({ store: older, documents, log }, [greet]);
  expect(await seen()).toEqual([1]);
});
