import type { Message } from '../../../contracts/ports/mailbox';
import { until } from '../../../test/until';
import { sharePages, type Page } from './pages';

const MIB = 2 ** 20;

let now: number;
let reads: number;

beforeEach(() => {
  now = 1_000_000;
  reads = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

const message = (id: number, bytes = 1): Message => ({
  id,
  from: 'ann',
  to: 'bob',
  headers: {},
  expiresAt: 0,
  body: 'x'.repeat(bytes),
});

/** Reads pages of one message. */
const reader =
  (next: number | null, bytes?: number) =>
  (_to: readonly string[], after: number): Page => ({
    messages: [message(after + 1, bytes)],
    next: (reads += 1) && next,
  });

test('a page is read once for streams that ask within a second, and again later: its messages may have expired', async () => {
  const read = sharePages(reader(1));
  const first = read(['bob'], 0, 500);
  now += 900;
  expect(read(['bob'], 0, 500)).toBe(first);
  now += 200;
  // The cache looks at the clock once in a millisecond.
  await until(() => read(['bob'], 0, 500) !== first);
  expect(reads).toBe(2);
});

test('a page is that of its recipients, its beginning and its length', async () => {
  const read = sharePages(reader(1));
  await read(['bob'], 0, 500);
  await read(['rob'], 0, 500);
  await read(['bob', 'rob'], 0, 500);
  await read(['bob'], 1, 500);
  await read(['bob'], 0, 1);
  expect(reads).toBe(5);
});

test('pages of 16 MiB are held, and the oldest are read again', async () => {
  const read = sharePages(reader(1, MIB));
  for (let n = 0; n < 20; n += 1) await read([`${n}`], 0, 500);
  await read(['19'], 0, 500);
  await read(['5'], 0, 500);
  expect(reads).toBe(20);
  await read(['0'], 0, 500);
  expect(reads).toBe(21);
});

test('the last page is read for each stream: it may lack what was stored meanwhile', () => {
  const read = sharePages(reader(null));
  expect(read(['bob'], 0, 500)).not.toBe(read(['bob'], 0, 500));
});

test.each([
  ['once when others follow', 1, 1],
  ['again by who asked later when it is the last', null, 2],
])('a page that is being read is read %s', async (_, next, expected) => {
  const readNow = reader(next);
  const read = sharePages(async (to, after) => readNow(to, after));
  const [first, second] = await Promise.all([read(['bob'], 0, 500), read(['bob'], 0, 500)]);
  expect([first === second, reads]).toEqual([expected === 1, expected]);
});

test('a page that could not be read is asked for again', async () => {
  let isDown = true;
  const readNow = reader(1);
  const read = sharePages(async (to, after) => {
    if (isDown) throw new Error('connection lost');
    return readNow(to, after);
  });
  await expect(read(['bob'], 0, 500)).rejects.toThrow('connection lost');
  isDown = false;
  await expect(read(['bob'], 0, 500)).resolves.toMatchObject({ next: 1 });
});
