import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { EngineUnavailable } from '../../../contracts/engine/engine-unavailable';
import type { EventBatch, EventStore, SubscribeOptions } from '../../../contracts/ports/event-store';
import { BEGINNING } from '../../../contracts/position';
import { describeEventStore } from '../../../test/contracts/event-store';
import { InMemoryEventStore } from '../../../test/doubles/event-store';
import { runs } from '../../../test/random';
import { temporaryFolder } from '../../../test/temporary-folder';
import { until } from '../../../test/until';
import { sharedSubscription } from './shared-subscription';
import { openSqliteEventStore } from './sqlite/sqlite-event-store';

const folder = temporaryFolder();
describeEventStore('SQLite, whose subscribers share', async place =>
  sharedSubscription(openSqliteEventStore({ path: join(folder, `${place}.db`) })),
);

const ended: AbortController[] = [];
afterEach(() => ended.splice(0).forEach(each => each.abort()));

/** A store that counts what subscribes to it, and one of which the subscribers share. */
function shared(maxEvents?: number) {
  const server = new InMemoryEventStore();
  let open = 0;
  const calls: SubscribeOptions[] = [];
  const counting: EventStore = {
    append: (...append) => server.append(...append),
    deleteUpTo: (...deletion) => server.deleteUpTo(...deletion),
    readStream: (...read) => server.readStream(...read),
    readAll: (...read) => server.readAll(...read),
    head: () => server.head(),
    end: () => server.end(),
    close: () => server.close(),
    async *subscribe(options) {
      open += 1;
      calls.push(options);
      try {
        yield* server.subscribe(options);
      } finally {
        open -= 1;
      }
    },
  };
  const store = sharedSubscription(counting, maxEvents);
  return { server, counting, store, calls, open: () => open };
}

const append = (store: EventStore, category: string, count = 1) =>
  store.append(
    `${category}-1`,
    'any',
    Array.from({ length: count }, () => ({
      id: randomUUID(),
      type: 'Happened',
      data: {},
      metadata: { v: 1 },
    })),
  );

/** Takes batches until it is ended, at its pace. */
function subscriber(
  store: EventStore,
  options: Omit<SubscribeOptions, 'signal'>,
  handle: (batch: EventBatch) => Promise<unknown> = async () => undefined,
) {
  const end = new AbortController();
  ended.push(end);
  const seen: string[] = [];
  const at = { position: options.after };
  const done = (async () => {
    for await (const batch of store.subscribe({ ...options, signal: end.signal })) {
      await handle(batch);
      seen.push(...batch.events.map(({ id }) => id));
      at.position = batch.position;
    }
  })();
  done.catch(() => undefined);
  return { seen, at, end: () => end.abort(), done };
}

async function idsOf(store: EventStore, categories: readonly string[] | undefined): Promise<string[]> {
  const ids: string[] = [];
  for await (const events of store.readAll(categories ? { categories } : {}))
    ids.push(...events.map(({ id }) => id));
  return ids;
}

it('serves all subscribers at the head by one subscription, of their categories alone', async () => {
  const { server, store, calls, open } = shared();
  await append(server, 'fee', 3);
  const head = await server.head();
  const categories = ['fee', 'order', 'watch'];
  const all = categories.flatMap(category =>
    Array.from({ length: 10 }, () => subscriber(store, { after: head, categories: [category] })),
  );
  await until(() => calls.length === 1);
  for (const category of [...categories, 'of-others']) await append(server, category);
  const end = await server.head();
  await until(() => all.every(({ at }) => at.position >= end - 1));
  expect(all.map(({ seen }) => seen.length)).toEqual(all.map(() => 1));
  expect({ calls: calls.map(call => call.categories), open: open() }).toEqual({
    calls: [categories],
    open: 1,
  });
});

it('serves who was behind by the one subscription, too, once it has caught up', async () => {
  const { server, store, open } = shared();
  await append(server, 'fee', 25);
  const all = ['fee', 'fee', 'order', 'watch'].map(category =>
    subscriber(store, { after: BEGINNING, categories: [category], batchSize: 10 }),
  );
  await until(async () => {
    for (const category of ['fee', 'order', 'watch']) await append(server, category);
    return open() === 1;
  });
  for (const { seen, at } of all)
    await until(async () => at.position >= (await server.head()) - 2 && seen.length > 0);
  await until(async () => all[0]!.seen.length === (await idsOf(server, ['fee'])).length);
  expect(all[0]!.seen).toEqual(await idsOf(server, ['fee']));
  expect(all[1]!.seen).toEqual(all[0]!.seen);
});

it('keeps few events for a slow subscriber, which reads for itself what it has not taken', async () => {
  const { server, store, calls } = shared(5);
  let isBusy = true;
  const slow = subscriber(store, { after: BEGINNING, categories: ['fee'] }, () => until(() => !isBusy));
  const fast = subscriber(store, { after: BEGINNING, categories: ['fee'] });
  await until(() => calls.length > 0);
  for (let round = 0; round < 20; round++) {
    await append(server, 'fee', 3);
    await until(() => fast.seen.length === 3 * (round + 1));
  }
  const before = calls.length;
  isBusy = false;
  await until(() => slow.seen.length === 60);
  expect(slow.seen).toEqual(fast.seen);
  expect(calls.length).toBeGreaterThan(before);
});

it('delivers every event of its categories once and in order, whenever each subscribes and however slow it is', async () => {
  const CATEGORIES = ['a', 'b', 'c'];
  const step = fc.record({
    category: fc.constantFrom(...CATEGORIES),
    count: fc.integer({ min: 1, max: 4 }),
    pauseMs: fc.constantFrom(0, 0, 0, 1, 60, 120),
  });
  const joining = fc.record({
    step: fc.nat(30),
    categories: fc.option(fc.subarray(CATEGORIES, { minLength: 1 }), { nil: undefined }),
    batchSize: fc.integer({ min: 1, max: 8 }),
    paceMs: fc.constantFrom(0, 0, 1, 20),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 30 }),
      fc.array(joining, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 12 }),
      async (steps, joins, maxEvents) => {
        const { server, store } = shared(maxEvents);
        const begun: { of: (typeof joins)[number]; is: ReturnType<typeof subscriber> }[] = [];
        for (const [at, { category, count, pauseMs }] of steps.entries()) {
          for (const of of joins.filter(join => Math.min(join.step, steps.length - 1) === at)) {
            const { categories, batchSize, paceMs } = of;
            const options = { after: BEGINNING, batchSize, ...(categories && { categories }) };
            begun.push({
              of,
              is: subscriber(store, options, () => (paceMs > 0 ? pause(paceMs) : Promise.resolve())),
            });
          }
          await append(server, category, count);
          if (pauseMs > 0) await pause(pauseMs);
        }
        for (const { of, is } of begun) {
          const ids = await idsOf(server, of.categories);
          await until(() => is.seen.length >= ids.length);
          expect(is.seen).toEqual(ids);
        }
        for (const { is } of begun) is.end();
        await Promise.all(begun.map(({ is }) => is.done));
      },
    ),
    runs(30),
  );
});

it('reports an interruption once', async () => {
  const { server, store, calls } = shared();
  const reasons: string[] = [];
  const onInterrupted = (reason: string) => reasons.push(reason);
  const all = ['a', 'b', 'c'].map(category =>
    subscriber(store, { after: BEGINNING, categories: [category], onInterrupted }),
  );
  await until(() => calls.length === 1);
  calls[0]!.onInterrupted?.('unavailable');
  await append(server, 'c');
  await until(() => all[2]!.seen.length === 1);
  expect(reasons).toEqual(['unavailable']);
});

it('ends with the error of the store, and goes on when it is asked again', async () => {
  const { server, counting } = shared();
  let isDown = false;
  const failing: EventStore = {
    ...counting,
    async *subscribe(options) {
      for await (const batch of server.subscribe(options)) {
        if (isDown) throw new EngineUnavailable('event store', 'it is down');
        yield batch;
      }
    },
  };
  const store = sharedSubscription(failing);
  const first = ['a', 'b'].map(category => subscriber(store, { after: BEGINNING, categories: [category] }));
  await append(server, 'a');
  await until(() => first[0]!.seen.length === 1);
  isDown = true;
  await append(server, 'b');
  for (const { done } of first) await expect(done).rejects.toThrow(EngineUnavailable);
  isDown = false;
  const again = subscriber(store, { after: first[1]!.at.position, categories: ['b'] });
  await until(() => again.seen.length === 1);
});

it('ends its subscription with the last subscriber', async () => {
  const { server, store, open } = shared();
  const all = ['a', 'b'].map(category => subscriber(store, { after: BEGINNING, categories: [category] }));
  await append(server, 'a');
  await until(() => all[0]!.seen.length === 1 && open() === 1);
  for (const each of all) each.end();
  await Promise.all(all.map(({ done }) => done));
  await until(() => open() === 0);
});
