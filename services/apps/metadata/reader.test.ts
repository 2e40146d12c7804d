import pino from 'pino';
import type { AppObserved } from '../../../contracts/chain/app-metadata';
import type { ObservedReader } from '../../../contracts/observation/reader';
import { NO_LIMITS, type RateLimits } from '../../../contracts/ports/rate-limits';
import { Problem } from '../../../contracts/problem/problem';
import { createAppReader, MAX_STORED_OF_DOMAIN } from './reader';

const APP = 'https://app.example.com';
const AT = '2026-03-01T12:00:00.000Z';
const metadata = { title: 'App', description: null, color: null, originalImage: null, preview: null };
const caller = { ip: '192.0.2.1', appendHeader: () => undefined };

interface Setting {
  readonly stored?: AppObserved;
  readonly storedOfDomain?: number;
  readonly storedInAll?: number;
  readonly readApp?: () => Promise<AppObserved>;
  readonly limits?: RateLimits;
  readonly isStale?: boolean;
}

/** A reader over doubles of what is stored and of the web, and what it asks to have stored. */
function readerWith({ stored, storedOfDomain = 0, storedInAll = 0, isStale = false, ...more }: Setting) {
  const requested: string[] = [];
  const { readApp = async () => metadata, limits = NO_LIMITS } = more;
  const observed: Partial<ObservedReader<string, AppObserved>> = {
    collection: 'observed_app_metadata',
    find: async () => (stored === undefined ? null : { height: null, at: AT, data: stored }),
    findPart: async (_domain, limit) => Array(Math.min(storedOfDomain, limit)).fill(null) as never,
    request: async url => void requested.push(url),
    isStale: () => isStale,
  };
  const reader = createAppReader({
    views: { count: async () => storedInAll },
    observed: observed as ObservedReader<string, AppObserved>,
    unread: { read: async () => ({ data: await readApp(), at: AT }) },
    isKnown: async () => false,
    limits: async () => limits,
    maxStored: 100,
    logger: pino({ level: 'silent' }),
  });
  return { reader, requested };
}

it('finds what is stored, and nothing where every read has failed', async () => {
  expect(await readerWith({ stored: metadata }).reader.find(APP)).toEqual({ metadata, at: AT });
  expect(await readerWith({ stored: null }).reader.find(APP)).toBeNull();
  expect(await readerWith({}).reader.find(APP)).toBeNull();
});

it('has what is stale read again', () => {
  const [fresh, stale] = [readerWith({}), readerWith({ isStale: true })];
  fresh.reader.refresh(APP, AT);
  stale.reader.refresh(APP, AT);
  expect([fresh.requested, stale.requested]).toEqual([[], [APP]]);
});

it('has an application stored that could be read, and asks for that once a minute', async () => {
  const { reader, requested } = readerWith({});
  expect(await reader.readUnread(APP, caller)).toEqual({ metadata, at: AT });
  await reader.readUnread(APP, caller);
  expect(requested).toEqual([APP]);
});

it.each([
  ['cannot be read', { readApp: async () => null }],
  ['is not read in time', { readApp: () => Promise.reject(Problem.unavailable('not yet', 1)) }],
  ['fails for a reason that nobody has thought of', { readApp: () => Promise.reject(new Error('broken')) }],
  ['is one of too many', { limits: { ...NO_LIMITS, consume: async () => exceeded } }],
])('knows and stores nothing of an application that %s', async (_what, setting) => {
  const { reader, requested } = readerWith(setting);
  expect(await reader.readUnread(APP, caller)).toBeNull();
  expect(requested).toEqual([]);
});
const exceeded = { quota: 1, window: 60, remaining: 0, resetsIn: 60, exceeded: true };

it.each([
  ['in all', { storedInAll: 100 }],
  ['of its domain', { storedOfDomain: MAX_STORED_OF_DOMAIN }],
])('shows an application, and stores none when there are as many %s as may be', async (_what, setting) => {
  const { reader, requested } = readerWith(setting);
  expect(await reader.readUnread(APP, caller)).toMatchObject({ metadata });
  expect(requested).toEqual([]);
});

it('stores a bounded number of applications, whatever addresses somebody makes up', async () => {
  const stored = new Map<string, number>();
  const count = () => [...stored.values()].reduce((sum, each) => sum + each, 0);
  const reader = createAppReader({
    views: { count: async () => count() },
    observed: {
      collection: 'observed_app_metadata',
      findPart: async (domain: string) => Array(stored.get(domain) ?? 0).fill(null),
      request: async (url: string) => {
        const domain = new URL(url).hostname.split('.').slice(-2).join('.');
        stored.set(domain, (stored.get(domain) ?? 0) + 1);
      },
    } as never,
    unread: { read: async () => ({ data: metadata, at: AT }) },
    isKnown: async () => false,
    limits: async () => NO_LIMITS,
    maxStored: 120,
    logger: pino({ level: 'silent' }),
  });
  for (let n = 0; n < 400; n++)
    await reader.readUnread(`https://a${n}.made-up-${n % 4}.example${n % 2 ? '' : '.com'}/${n}`, caller);
  expect(count()).toBeLessThanOrEqual(120);
  expect(Math.max(...stored.values())).toBeLessThanOrEqual(MAX_STORED_OF_DOMAIN);
});
