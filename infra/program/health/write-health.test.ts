import { EngineAccessDenied } from '../../../contracts/engine/engine-access-denied';
import { EngineUnavailable } from '../../../contracts/engine/engine-unavailable';
import { temporaryFolder } from '../../../test/temporary-folder';
import { openEmbeddedEngines, type Engines } from '../../engines/engines';
import { watchWrites } from './write-health';

const folder = temporaryFolder();
let real: Engines;
beforeAll(() => {
  real = openEmbeddedEngines({ DATA_DIR: folder });
});
afterAll(() => real.close());

const job = (id: string) => ({ queue: 'q', id, data: {} });

/** Real engines, except that jobs can be made to refuse writes. */
const watched = () => {
  let now = 0;
  let full = false;
  const jobs: Engines['jobs'] = {
    ...real.jobs,
    add: async one => {
      if (full) throw new EngineUnavailable('jobs', 'the disk is full');
      return real.jobs.add(one);
    },
  };
  const { engines, writeHealth } = watchWrites({ ...real, jobs }, () => now);
  return {
    engines,
    writeHealth,
    fill: (is: boolean) => void (full = is),
    pass: (milliseconds: number) => void (now += milliseconds),
  };
};

test('an engine that refused a write is named until it takes one', async () => {
  const { engines, writeHealth, fill } = watched();
  fill(true);
  await expect(engines.jobs.add(job('a'))).rejects.toThrow(EngineUnavailable);
  await engines.jobs.counts('q');
  expect(writeHealth.of('jobs')).toBe('jobs: not available: the disk is full');
  expect(writeHealth.of('log')).toBeNull();
  fill(false);
  await engines.jobs.add(job('a'));
  expect(writeHealth.of('jobs')).toBeNull();
});

test('an engine that denies access to a write is named', async () => {
  const denied = new EngineAccessDenied('event store', 'the user may not append');
  const append = () => Promise.reject(denied);
  const { engines, writeHealth } = watchWrites({ ...real, store: { ...real.store, append } }, () => 0);
  await expect(engines.store.append('s-1', 'any', [])).rejects.toBe(denied);
  expect(writeHealth.of('event store')).toBe('event store: access denied: the user may not append');
});

test('a refusal is forgotten after a while, so that writes are sent again', async () => {
  const { engines, writeHealth, fill, pass } = watched();
  fill(true);
  await expect(engines.jobs.add(job('b'))).rejects.toThrow(EngineUnavailable);
  pass(9_999);
  expect(writeHealth.of('jobs')).not.toBeNull();
  pass(1);
  expect(writeHealth.of('jobs')).toBeNull();
});

test('errors of the caller are not refusals of the engine', async () => {
  const { engines, writeHealth } = watched();
  await expect(engines.store.append('s-1', 5, [])).rejects.toThrow();
  await expect(
    engines.log.publish('never declared', [{ key: 'k', value: Buffer.from('v') }]),
  ).rejects.toThrow();
  expect(writeHealth.of('event store') ?? writeHealth.of('log')).toBeNull();
});
