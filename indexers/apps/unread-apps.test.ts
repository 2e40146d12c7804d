import type { PublicWeb, WebRequest } from '../../contracts/ports/public-web';
import { createHostLimit } from './host-limit';
import { createUnreadApps } from './unread-apps';

const START = Date.UTC(2026, 2, 1);

/** A double of the web, where each request takes time; applications whose hosts begin with `app` have a title. */
function fixture({ requests = 120, takesMs = 0 } = {}) {
  let now = START;
  const asked: { readonly url: string; readonly timeoutMs: number }[] = [];
  const held = new Map<string, () => void>();
  const web: PublicWeb = {
    async read(url, { admit, timeoutMs }: WebRequest) {
      const { hostname, pathname } = new URL(url);
      await admit?.(new URL(url));
      asked.push({ url, timeoutMs });
      now += Math.min(takesMs, timeoutMs);
      if (hostname.startsWith('held')) await new Promise<void>(resolve => held.set(url, resolve));
      if (takesMs > timeoutMs || !hostname.startsWith('app') || pathname !== '/') throw new Error('404');
      const html = `<title>App</title>${'<link rel=icon href=/i.png>'}<link rel=manifest href=/m.json>`;
      return { bytes: Buffer.from(html), url, contentType: 'text/html' };
    },
    get: async () => Promise.reject(new Error('unused')),
  };
  const { signal } = new AbortController();
  const hosts = createHostLimit(requests);
  const apps = createUnreadApps({ web, hosts, now: () => now, waitMs: 60_000, signal });
  const read = async (url: string, caller = 'c', isKnown = false) =>
    (await apps.read(url, { caller, isKnown }))?.data?.title ?? null;
  return { apps, read, asked, held, pass: (ms: number) => void (now += ms) };
}

it('remembers for five minutes what it has read, and what could not be read', async () => {
  const { apps, read, asked, pass } = fixture();
  expect(await read('https://app.example.com')).toBe('App');
  expect(await apps.read('https://none.example.com', { caller: 'c', isKnown: false })).toEqual({
    data: null,
    at: new Date(START).toISOString(),
  });
  const { length } = asked;
  await read('https://app.example.com', 'other');
  await read('https://none.example.com', 'other');
  expect(asked).toHaveLength(length);
  pass(300_001);
  expect(await read('https://app.example.com')).toBe('App');
  expect(asked.length).toBeGreaterThan(length);
});

it('remembers for no longer where the clock is set back', async () => {
  const { read, asked, pass } = fixture();
  await read('https://none.example.com');
  pass(-3_600_000);
  await read('https://none.example.com');
  const { length } = asked;
  pass(300_001);
  await read('https://none.example.com');
  expect(asked.length).toBeGreaterThan(length);
});

it('remembers nothing of an application whose host its caller may not ask now', async () => {
  const { read } = fixture({ requests: 60 });
  for (let n = 0; n < 20; n++) await read(`https://a${n}.example.com`, 'stranger');
  expect(await read('https://app.example.com', 'stranger')).toBeNull();
  expect(await read('https://app.example.com', 'honest')).toBe('App');
});

it('reads an application for its caller also when another one who may not ask its host reads it now', async () => {
  const { read } = fixture({ requests: 60 });
  for (let n = 0; n < 20; n++) await read(`https://a${n}.example.com`, 'stranger');
  const reads = ['stranger', 'honest'].map(caller => read('https://app.example.com', caller));
  expect(await Promise.all(reads)).toContain('App');
  expect(await reads[1]).toBe('App');
});

it('spends five seconds at most on an application, and has what it has read by then', async () => {
  const { read, asked } = fixture({ takesMs: 1_600 });
  expect(await read('https://app.example.com')).toBe('App');
  // Of the requests for its page, its manifests and its icon.
  expect(asked.map(({ timeoutMs }) => timeoutMs)).toEqual([2_500, 2_500, 1_800, 200]);
});

it('known applications have slots of their own', async () => {
  const { read, held } = fixture();
  const reads = Array.from({ length: 40 }, (_, n) => read(`https://held${n}.example${n}.com`, `c${n}`));
  expect(await read('https://app.example.com', 'honest', true)).toBe('App');
  expect(held.size).toBeGreaterThan(0);
  for (;;) {
    for (const release of held.values()) release();
    if (await Promise.race([Promise.all(reads).then(() => true), new Promise(r => setImmediate(r, false))]))
      break;
  }
});
