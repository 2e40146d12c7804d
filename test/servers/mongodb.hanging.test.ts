import { EngineUnavailable } from '../../contracts/engine/engine-unavailable';
import type { Commit, Documents } from '../../contracts/ports/documents';
import { until } from '../until';
import type { FaultyProxy } from './faulty-proxy';
import { commitLog, errorOf, isGreeting, openProxied, type Proxied } from './mongodb/proxied';
import { LAST, positionOf } from './mongodb/script';

/** A primary that hangs: it accepts connections and requests, and never answers. */

const HANGS: [what: string, hang: (proxy: FaultyProxy) => void][] = [
  ['to all', proxy => proxy.pause()],
  ['to all but the monitors of drivers', proxy => proxy.stallOn(data => !isGreeting(data))],
];

let proxied: Proxied;
let proxy: FaultyProxy;
let documents: Documents;

beforeEach(async () => {
  proxied = await openProxied();
  ({ proxy, documents } = proxied);
});

afterEach(() => proxied.close());

const commitOf = (id: string): Promise<void> => commitLog(documents, id);

describe.each(HANGS)('%s', (_, hang) => {
  test('reads and commits fail after their time limits, all others at once, until it answers', async () => {
    hang(proxy);
    const first = await Promise.all([documents.get('log', '1'), commitOf('5')].map(errorOf));
    for (const error of first) expect(error).toBeInstanceOf(EngineUnavailable);
    // Each would wait for seconds, longer than the limit of this test.
    for (let n = 0; n < 500; n++) {
      expect(await errorOf(documents.get('log', '1'))).toBeInstanceOf(EngineUnavailable);
      expect(await errorOf(commitOf('6'))).toBeInstanceOf(EngineUnavailable);
    }

    proxy.restore();
    await until(() => documents.get('log', '1'));
    expect(await until(() => positionOf(documents))).toBe(LAST);
    await until(() => commitOf('6').then(() => true));
    expect(await until(() => documents.get('log', '6'))).toEqual({ _id: '6' });
  });
});

/** More than can run at a time. */
const MANY = Array.from({ length: 25 }, (_, n) => `hung-${n}`);

test('commits go on beside any number of hung ones, and one that is given up changes nothing', async () => {
  const next = (by: string): Commit => ({
    writes: [{ collection: 'log', id: 'next', document: { _id: 'next', by } }],
    checkpoint: { name: 'script', value: { position: LAST + 1 }, expect: { position: LAST } },
  });
  proxy.stallOn(data => !isGreeting(data));
  const hung = await Promise.all([documents.commit(next('hung')), ...MANY.map(commitOf)].map(errorOf));
  for (const error of hung) expect(error).toBeInstanceOf(EngineUnavailable);

  // New connections work; those of the hung commits do not yet.
  proxy.stallOn(() => false);
  await until(() => documents.commit(next('later')).then(() => true));
  proxy.restore();
  await Promise.all(MANY.map(id => until(() => commitOf(`after-${id}`).then(() => true))));
  expect(await until(() => documents.get('log', 'next'))).toEqual({ _id: 'next', by: 'later' });
  expect(await until(() => positionOf(documents))).toBe(LAST + 1);
  const all = await until(() => documents.find('log', { limit: 100 }));
  const ids = all.documents.map(({ _id }) => _id);
  expect(ids.filter(id => id.startsWith('hung'))).toEqual([]);
});

test('a commit of few documents does not wait for any number of large ones', async () => {
  await documents.declare([{ name: 'large', indexes: [] }]);
  const large = MANY.map(prefix => ({
    writes: Array.from({ length: 101 }, (_, n) => {
      const id = `${prefix}/${n}`;
      return { collection: 'large', id, document: { _id: id } };
    }),
  }));
  const isLarge = (data: Buffer): boolean => ['startTransaction', 'large'].every(part => data.includes(part));
  proxy.stallOn(isLarge);
  let done = 0;
  const committing = large.map(commit => documents.commit(commit).finally(() => done++));
  await commitOf('5');
  expect(done).toBe(0);
  proxy.restore();
  await Promise.all(committing);
  expect((await documents.find('large', { limit: 10_000 })).documents).toHaveLength(101 * MANY.length);
});
