import { randomUUID } from 'node:crypto';
import { EngineBehind, EngineUnavailable } from '../../../contracts/engine/engine-unavailable';
import { InMemoryEventStore } from '../../../test/doubles/event-store';
import { until } from '../../../test/until';
import type { Engines } from '../../engines/engines';
import { guardAgainstLoss, type LossGuard } from './loss-guard';

const LOSS = new EngineBehind('event store', 'it has lost data');

let store: InMemoryEventStore;
let published: number;
let guard: LossGuard;
let stopped: AbortController;
let found: EngineBehind[];
/** What the detector finds, look by look; the last one for all further looks. */
let looks: (EngineBehind | null)[];

const append = (stream: string, id: string = randomUUID()) =>
  guard.engines.store.append(stream, 'any', [{ id, type: 'Happened', data: {}, metadata: { v: 1 } }]);

const watch = (): Promise<void> =>
  guard.watch(
    async () => (looks.length > 1 ? looks.shift()! : looks[0]!),
    behind => {
      found.push(behind);
      stopped.abort();
    },
    stopped.signal,
  );

/** A store whose methods are its own properties, as those of the adapters are. */
const adapter = (of: () => InMemoryEventStore) => ({
  append: (...given: Parameters<InMemoryEventStore['append']>) => of().append(...given),
  subscribe: (...given: Parameters<InMemoryEventStore['subscribe']>) => of().subscribe(...given),
  end: () => of().end(),
});

beforeEach(() => {
  [store, published, stopped, found, looks] = [
    new InMemoryEventStore(),
    0,
    new AbortController(),
    [],
    [null],
  ];
  const log = { publish: async () => void published++ };
  guard = guardAgainstLoss({ store: adapter(() => store), log } as unknown as Engines, 1);
});
afterEach(() => stopped.abort());

it('appends and publishes while nothing is missing', async () => {
  await watch();
  expect(await append('a-1')).toMatchObject({ position: 0 });
  await guard.engines.log.publish('topic', []);
  expect([published, await guard.check.run(), guard.found()]).toEqual([1, null, null]);
});

it('after a loss appends nothing, publishes nothing, and reports it once', async () => {
  looks = [LOSS];
  await watch();
  await expect(append('a-1')).rejects.toBe(LOSS);
  await expect(guard.engines.log.publish('topic', [])).rejects.toBe(LOSS);
  expect(() => guard.assertComplete()).toThrow(LOSS);
  expect([await store.head(), published, found]).toEqual([-1, 0, [LOSS]]);
  expect(await guard.check.run()).toBe(LOSS.message);
});

it('takes no notice of a node that is behind for a moment', async () => {
  looks = [LOSS, LOSS, null];
  await watch();
  expect([guard.found(), found]).toEqual([null, []]);
});

it('does not take an engine that does not answer for a loss', async () => {
  await guard.watch(
    () => Promise.reject(new EngineUnavailable('log', 'no connection')),
    behind => found.push(behind),
    stopped.signal,
  );
  expect(guard.found()).toBeNull();
});

it('does not acknowledge an append at a position that was taken before', async () => {
  await watch();
  await append('a-1');
  await append('a-2');
  looks = [LOSS];
  store = new InMemoryEventStore();
  await expect(append('a-3')).rejects.toBe(LOSS);
  expect(found).toEqual([LOSS]);
});

it('acknowledges a repeated append', async () => {
  await watch();
  const id = randomUUID();
  await append('a-1', id);
  await append('a-2');
  looks = [LOSS];
  expect(await append('a-1', id)).toMatchObject({ position: 0 });
  expect(found).toEqual([]);
});

it('does not subscribe beyond the end', async () => {
  await watch();
  await append('a-1');
  looks = [LOSS];
  const subscription = guard.engines.store.subscribe({ after: 5, signal: stopped.signal });
  await expect(subscription[Symbol.asyncIterator]().next()).rejects.toBe(LOSS);
  await until(() => found.length === 1);
});
