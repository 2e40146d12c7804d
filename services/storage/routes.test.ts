import request from 'supertest';
import { NO_LIMITS } from '../../contracts/ports/rate-limits';
import { createTestApp } from '../../test/app';
import { InMemoryEventStore } from '../../test/doubles/event-store';
import { createHandle } from '../commands/handle';
import { createWaitLimit, type WaitLimit } from '../reads/read-until';
import { storageRoutes } from './routes';

const key = Buffer.alloc(32, 7).toString('base64');
const WAIT_MS = 2_500;

/** Writes a value for which the projection does as `waitForPosition`. */
function write(
  waitForPosition: (collection: string, position: number, timeoutMs: number) => Promise<boolean>,
  waitLimit: WaitLimit = createWaitLimit(0),
  store = new InMemoryEventStore(),
) {
  const bindings = storageRoutes({
    handle: createHandle({ store }),
    views: {
      get: async () => null,
      count: async () => 0,
      sum: async () => 0,
      isOutdated: async () => false,
      waitForPosition,
    },
    limits: async () => NO_LIMITS,
    sourceOf: () => 'source',
    maxKeys: 0,
    maxKibibytes: 0,
    clock: () => new Date(),
    maxValueBytes: 100,
    unsigned: true,
    waitMs: WAIT_MS,
    waitLimit,
  });
  const app = createTestApp(bindings);
  return request(app).post('/storage/write').send({ key, seq: 0, value: 'AA==' });
}
const written = { ok: true, updated: true, current: { seq: 1, value: 'AA==' } };

it('a write is answered once reads include it', async () => {
  const steps: unknown[] = [];
  const { body } = await write(async (...args) => {
    steps.push(args);
    await new Promise(setImmediate);
    steps.push('folded');
    return true;
  }).then(answer => {
    steps.push('answered');
    return answer;
  });
  expect(body).toEqual(written);
  expect(steps).toEqual([['storage_entries', 0, WAIT_MS, expect.any(AbortSignal)], 'folded', 'answered']);
});

it('a write is answered although reads do not include it in time, or too many calls wait', async () => {
  expect((await write(async () => false)).body).toEqual(written);
  const full = createWaitLimit(1);
  const wait = full.begin('another');
  const never = new Promise<never>(() => undefined);
  expect((await write(() => never, full)).body).toEqual(written);
  wait!.end();
  expect(full.begin('another')).not.toBeNull();
});

it('a write is answered although the documents are not available, and waits no longer', async () => {
  const limit = createWaitLimit(1);
  const { body } = await write(() => Promise.reject(new Error('documents are not available')), limit);
  expect(body).toEqual(written);
  expect(limit.begin('another')).not.toBeNull();
});

it('a write takes two calls of the event store', async () => {
  const store = new InMemoryEventStore();
  const calls = [jest.spyOn(store, 'readStream'), jest.spyOn(store, 'append')];
  expect((await write(async () => true, undefined, store)).body).toEqual(written);
  expect(calls.map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});
