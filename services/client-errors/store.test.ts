import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Documents } from '../../contracts/ports/documents';
import { EngineUnavailable } from '../../contracts/engine/engine-unavailable';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import { runs } from '../../test/random';
import { temporaryFolder } from '../../test/temporary-folder';
import { createErrorCounter } from './counter';
import type { ScrubbedReport } from './report';
import { openClientErrors, type ClientErrorStore } from './store';

const folder = temporaryFolder();
const opened: Documents[] = [];
let file = 0;
let now = Date.parse('2026-03-01T12:00:00Z');
const clock = () => new Date(now);

beforeEach(() => (file += 1));
afterEach(async () => {
  for (const documents of opened.splice(0)) await documents.close();
});

function openVault(): Documents {
  const documents = openSqliteDocuments({ path: join(folder, `${file}.sqlite`), secureDelete: true });
  opened.push(documents);
  return documents;
}

/** A process with its own connection. Unless a source is named, each error comes from one of its own. */
async function openProcess(name: string, limit = 10_000, documents = openVault()) {
  const store = await openClientErrors(documents, limit);
  const { add, flush } = createErrorCounter({ store, process: name, clock });
  return {
    store,
    add: (reported: ScrubbedReport, source = reported.fingerprint) => add(reported, source),
    flush,
  };
}

const report = (message: string, more: Partial<ScrubbedReport> = {}): ScrubbedReport => ({
  fingerprint: message.padEnd(24, '-'),
  message,
  stack: `at ${message}`,
  url: null,
  data: null,
  platform: 'ios',
  appVersion: '2.5.45',
  ...more,
});

const countsOf = async (store: ClientErrorStore) => {
  const { errors, other } = await store.list(1_000);
  return {
    ...Object.fromEntries(errors.map(({ message, count }) => [message, count])),
    ...(other && { other }),
  };
};

const stored = (): string =>
  readdirSync(folder)
    .filter(name => name.startsWith(`${file}.`))
    .map(name => readFileSync(join(folder, name), 'latin1'))
    .join('');

test('counts reports by error and by version, with what was reported first and last', async () => {
  const { store, add, flush } = await openProcess('a');
  add(report('one'));
  now += 1_000;
  add(report('one', { appVersion: '2.6.0', data: '{"last":true}' }));
  add(report('two', { platform: null, appVersion: null }));
  await flush();
  now += 60_000;
  add(report('one', { data: '{"last":2}' }));
  await flush();
  await flush();
  const { errors, other } = await store.list(1);
  expect(other).toBe(0);
  expect(errors).toEqual([
    {
      fingerprint: 'one'.padEnd(24, '-'),
      message: 'one',
      stack: 'at one',
      url: null,
      data: '{"last":2}',
      first: {
        at: '2026-03-01T12:00:00.000Z',
        message: 'one',
        stack: 'at one',
        url: null,
        data: null,
      },
      count: 3,
      firstAt: '2026-03-01T12:00:00.000Z',
      lastAt: '2026-03-01T12:01:01.000Z',
      versions: [
        { platform: 'ios', appVersion: '2.5.45', count: 2 },
        { platform: 'ios', appVersion: '2.6.0', count: 1 },
      ],
    },
  ]);
  expect(await countsOf(store)).toEqual({ one: 3, two: 1 });
});

test('what was reported last is shown, also when an earlier report is stored after it', async () => {
  const [slow, fast] = [await openProcess('slow'), await openProcess('fast')];
  slow.add(report('one', { data: '{"at":1}' }));
  now += 1_000;
  fast.add(report('one', { data: '{"at":2}' }));
  await fast.flush();
  await slow.flush();
  expect((await slow.store.list(1)).errors).toMatchObject([{ count: 2, data: '{"at":2}' }]);
});

test('who reports an error of somebody else replaces the last report of it, and not the first, until that is too old', async () => {
  const { store, add, flush } = await openProcess('a');
  const genuine = { stack: 'at one\nat ours', url: 'https://app.example', data: '{"genuine":true}' };
  add(report('one', genuine), 'ann');
  add(report('one', genuine), 'ann');
  await flush();
  expect((await store.list(1)).errors).toMatchObject([{ ...genuine, first: null }]);
  const first = { message: 'one', ...genuine, at: clock().toISOString() };
  for (let n = 0; n < 3; n++) {
    now += 1_000;
    add(report('one', { stack: 'at one\nat mine', data: `{"made up":${n}}` }), 'stranger');
    add(report('one', { stack: 'at one\nat mine', data: `{"made up again":${n}}` }), 'stranger');
    await flush();
  }
  expect((await store.list(1)).errors).toMatchObject([{ stack: 'at one\nat mine', count: 8, first }]);

  now += 1_000;
  add(report('one', { stack: 'at one\nat last' }), 'bob');
  await flush();
  expect(await store.expire(first.at)).toBe(0);
  expect((await store.list(1)).errors).toMatchObject([{ stack: 'at one\nat last', first }]);
  expect(await store.expire(new Date(now - 500).toISOString())).toBe(0);
  expect((await store.list(1)).errors).toMatchObject([{ stack: 'at one\nat last', count: 9, first: null }]);
  expect(stored()).not.toContain('genuine');
});

test('what is reported first in one batch stays, too', async () => {
  const { store, add, flush } = await openProcess('a');
  add(report('one', { data: '{"first":true}' }), 'ann');
  add(report('one', { data: '{"last":true}' }), 'stranger');
  await flush();
  expect((await store.list(1)).errors).toMatchObject([
    { data: '{"last":true}', first: { data: '{"first":true}' } },
  ]);
});

test('processes that flush at the same time lose no count', async () => {
  const processes = await Promise.all(['a', 'b', 'c'].map(name => openProcess(name)));
  for (let round = 0; round < 5; round++) {
    for (const { add } of processes) ['one', 'two', 'two'].forEach(message => add(report(message)));
    await Promise.all(processes.map(({ flush }) => flush()));
  }
  expect(await countsOf(processes[0]!.store)).toEqual({ one: 15, two: 30 });
});

test('what was stored although the engine has not answered counts once', async () => {
  const documents = openVault();
  let isLate = true;
  const { store, add, flush } = await openProcess('a', 10_000, {
    ...documents,
    async commit(commit) {
      await documents.commit(commit);
      if (isLate) throw new EngineUnavailable('documents', 'has not answered');
    },
  });
  add(report('one'));
  await expect(flush()).rejects.toThrow(EngineUnavailable);
  add(report('one'));
  isLate = false;
  await flush();
  expect(await countsOf(store)).toEqual({ one: 2 });
});

test('counts are right whatever is reported, flushed, fails after it has written, or ends', async () => {
  const step = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ process: fc.nat(2), message: fc.constantFrom('one', 'two', 'three') }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ process: fc.nat(2), flush: fc.constantFrom('works', 'fails', 'answers late') }),
    },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 30 }), async steps => {
      file += 1;
      let fault = 'works';
      const faulty = (documents: Documents): Documents => ({
        ...documents,
        async commit(commit) {
          if (fault === 'fails') throw new EngineUnavailable('documents', 'is down');
          await documents.commit(commit);
          if (fault === 'answers late') throw new EngineUnavailable('documents', 'has not answered');
        },
      });
      const processes = await Promise.all(
        ['a', 'b', 'c'].map(name => openProcess(name, 10_000, faulty(openVault()))),
      );
      const expected: Record<string, number> = {};
      for (const each of steps) {
        const { add, flush } = processes[each.process]!;
        if ('message' in each) {
          add(report(each.message));
          expected[each.message] = (expected[each.message] ?? 0) + 1;
        } else {
          fault = each.flush;
          await flush().catch(() => undefined);
        }
      }
      fault = 'works';
      for (const { flush } of processes) await flush();
      expect(await countsOf(processes[0]!.store)).toEqual(expected);
      for (const documents of opened.splice(0)) await documents.close();
    }),
    runs(20),
  );
});

test('only so many errors are stored, and wait in memory; others are counted together', async () => {
  const a = await openProcess('a', 2);
  const b = await openProcess('b', 2);
  expect(a.add(report('one'))).toBe('counted');
  a.add(report('two'));
  a.add(report('three'));
  await a.flush();
  b.add(report('two'));
  b.add(report('four'));
  b.add(report('four'));
  await b.flush();
  expect(await countsOf(a.store)).toEqual({ one: 1, two: 2, other: 3 });
  expect(await a.store.size()).toBe(2);

  const outcomes = Array.from({ length: 1_000 }, (_, n) => a.add(report(`flood ${n}`)));
  expect(outcomes.filter(outcome => outcome === 'other')).toHaveLength(500);
  expect(a.add(report('flood 0'))).toBe('counted');
  await a.flush();
  expect(await countsOf(a.store)).toEqual({ one: 1, two: 2, other: 1_004 });
});

test('who reports errors of its own making leaves places for those of others, stored and in memory', async () => {
  const { store, add, flush } = await openProcess('a', 40);
  for (let n = 0; n < 1_000; n++) add(report(`made up ${n}`), 'stranger');
  expect(add(report('mine'), 'ann')).toBe('counted');
  await flush();
  add(report('again'), 'bob');
  // What others have reported counts also for who has no place left.
  expect(add(report('mine'), 'stranger')).toBe('counted');
  await flush();
  const { mine, again, other, ...madeUp }: Record<string, number> = await countsOf(store);
  expect([mine, again, other]).toEqual([2, 1, 990]);
  expect(Object.keys(madeUp)).toHaveLength(10);
});

test('errors that were stored without a source take places, and nobody loses a share for them', async () => {
  const documents = openVault();
  const { store, add, flush } = await openProcess('a', 8, documents);
  for (const message of ['one', 'two', 'three', 'four']) add(report(message));
  await flush();
  const { documents: found } = await documents.find('client_errors', { limit: 10 });
  await documents.commit({
    writes: found.map(({ _id, source: _, ...rest }: Record<string, unknown>) => ({
      collection: 'client_errors',
      id: _id as string,
      document: { _id: _id as string, ...rest },
    })),
  });
  for (const message of ['five', 'six', 'seven']) add(report(message), 'ann');
  add(report('one'), 'ann');
  await flush();
  expect(await countsOf(store)).toEqual({ one: 2, two: 1, three: 1, four: 1, five: 1, other: 2 });
});

test('so many versions are counted by name', async () => {
  const { store, add, flush } = await openProcess('a');
  for (let n = 0; n < 30; n++) add(report('one', { appVersion: `2.${n}` }));
  await flush();
  add(report('one', { appVersion: '3.0' }));
  await flush();
  const [error] = (await store.list(1)).errors;
  expect(error!.versions).toHaveLength(21);
  expect(error!.versions.at(-1)).toEqual({ platform: null, appVersion: null, count: 11 });
  expect(error!.versions.reduce((sum, { count }) => sum + count, 0)).toBe(31);
});

describe('what is erased', () => {
  const flood = Array.from({ length: 600 }, (_, n) => `error-${n}`);

  test('is gone from the disk, and does not come back from the memory of a process', async () => {
    const a = await openProcess('a');
    const b = await openProcess('b');
    for (const { add, flush } of [a, b]) {
      ['secret-a', 'secret-b', 'kept'].forEach(message => add(report(message)));
      await flush();
      add(report('secret-a'));
    }
    expect(stored()).toContain('secret-a');
    now += 1;
    const fingerprint = report('secret-a').fingerprint;
    expect(await a.store.erase([fingerprint, 'unknown'.padEnd(24, '-')], clock().toISOString())).toBe(1);
    await b.flush();
    expect(await countsOf(b.store)).toEqual({ 'secret-b': 2, kept: 2 });
    expect(stored()).not.toContain('at secret-a');
    expect(stored()).toContain('at secret-b');

    now += 1;
    a.add(report('secret-a'));
    await a.flush();
    // What was in memory at the erasure is erased with it; later reports are counted again.
    expect((await countsOf(a.store))['secret-a' as 'other']).toBeUndefined();
    a.add(report('secret-a'));
    await a.flush();
    expect(await countsOf(a.store)).toMatchObject({ 'secret-a': 1 });
  });

  test('may be everything, also what was counted together', async () => {
    const a = await openProcess('a', 500);
    for (const half of [flood.slice(0, 300), flood.slice(300)]) {
      half.forEach(message => a.add(report(message)));
      await a.flush();
    }
    expect(await countsOf(a.store)).toMatchObject({ other: 100 });
    // Also what was reported in the millisecond of the erasure.
    now += 1;
    flood.forEach(message => a.add(report(message)));
    expect(await a.store.erase(null, clock().toISOString())).toBe(500);
    expect(await countsOf(a.store)).toEqual({});
    await a.flush();
    expect(await countsOf(a.store)).toEqual({});
    expect(stored()).not.toContain('at error-');
  });

  test('is what was not reported again within the retention', async () => {
    const a = await openProcess('a');
    flood.slice(0, 400).forEach(message => a.add(report(message)));
    await a.flush();
    const before = clock().toISOString();
    now += 86_400_000;
    a.add(report('error-7', { stack: 'at error-7 again' }));
    await a.flush();
    expect(await a.store.expire(before)).toBe(0);
    expect(await a.store.expire(new Date(now - 1).toISOString())).toBe(399);
    expect(await countsOf(a.store)).toEqual({ 'error-7': 2 });
    expect(stored().match(/at error-\d+/g)).toEqual(['at error-7']);
  });
});
