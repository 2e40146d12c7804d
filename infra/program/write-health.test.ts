import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineUnavailable } from '../../contracts/engine-unavailable';
import { openEmbeddedEngines, type Engines } from '../engines/engines';
import { watchRefusals } from './write-health';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-refusals-'));
let real: Engines;
beforeAll(() => {
  real = openEmbeddedEngines({ DATA_DIR: folder });
});
afterAll(async () => {
  await real.close();
  rmSync(folder, { recursive: true });
});

const job = (id: string) => ({ queue: 'q', id, data: {} });

/** Real engines, but for jobs that can be made to refuse. */
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
  const { engines, refusals } = watchRefusals({ ...real, jobs }, () => now);
  return {
    engines,
    refusals,
    fill: (is: boolean) => void (full = is),
    pass: (milliseconds: number) => void (now += milliseconds),
  };
};

test('an engine that refused a write is named until it takes one', async () => {
  const { engines, refusals, fill } = watched();
  fill(true);
  await expect(engines.jobs.add(job('a'))).rejects.toThrow(EngineUnavailable);
  await engines.jobs.counts('q');
  expect(refusals.of('jobs')).toBe('jobs: not available: the disk is full');
  expect(refusals.of('log')).toBeNull();
  fill(false);
  await engines.jobs.add(job('a'));
  expect(refusals.of('jobs')).toBeNull();
});

test('a refusal that no write has followed is forgotten after a while, so that writes are sent again', async () => {
  const { engines, refusals, fill, pass } = watched();
  fill(true);
  await expect(engines.jobs.add(job('b'))).rejects.toThrow(EngineUnavailable);
  pass(9_999);
  expect(refusals.of('jobs')).not.toBeNull();
  pass(1);
  expect(refusals.of('jobs')).toBeNull();
});

test('errors of the caller are no refusals', async () => {
  const { engines, refusals } = watched();
  await expect(engines.store.append('s-1', 5, [])).rejects.toThrow();
  await expect(
    engines.log.publish('never declared', [{ key: 'k', value: Buffer.from('v') }]),
  ).rejects.toThrow();
  expect(refusals.of('event store') ?? refusals.of('log')).toBeNull();
});
