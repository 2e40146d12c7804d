import { gzipSync } from 'node:zlib';
import { backlog } from '../client/backlog';
import { clientId } from '../client/client-id';
import { ask, type Answer, type Bridge, type RequestOptions } from '../client/request';
import { openRaw } from '../client/raw';

const ORIGIN = 'https://dapp.example';

/** What no client sends, and anybody may. */
export function hostileRequests(bridge: () => Bridge): void {
  const send = (path: string, options: RequestOptions = {}): Promise<Answer> =>
    ask(`${bridge().url}${path}`, { ...options, headers: { origin: ORIGIN, ...options.headers } });
  const message = (to = clientId()): string => `/message?client_id=${clientId()}&to=${to}&ttl=300`;

  test('HEAD of a stream ends, as every HEAD does', async () => {
    expect((await send(`/events?client_id=${clientId()}`, { method: 'HEAD' })).text).toBe('');
    expect((await send('/events?client_id=a', { method: 'HEAD' })).text).toBe('');
  });

  test.each([
    ['/events?client_id=%E0%A4%A', 'GET'],
    ['/message?client_id=%ff%fe&to=%00&ttl=%', 'POST'],
    ['/events?client_id[]=a&client_id[b]=c&client_id=d', 'GET'],
    ['/events?__proto__[x]=1&constructor=1', 'GET'],
    [`/verify?client_id=${clientId()}&url=http://%00`, 'POST'],
    [`/verify?client_id=${clientId()}&url=javascript:alert(1)&url=b`, 'POST'],
  ])('%s is refused', async (path, method) => {
    const { status, headers } = await send(path, { method });
    expect(status).toBe(400);
    expect(headers).toHaveProperty('access-control-allow-origin');
  });

  test.each(['/%E0%A4%A', '/events/%', '/../message', '/events/x', '/'])(
    'path %s is not found',
    async path => {
      const { status } = await send(path);
      expect([400, 404]).toContain(status);
    },
  );

  test('a long trace id or topic is no reason to refuse a message', async () => {
    for (const name of ['trace_id', 'topic']) {
      const to = clientId();
      const path = `${message(to)}&${name}=${'x'.repeat(250)}`;
      expect([name, await send(path, { method: 'POST', body: name })]).toMatchObject([name, { status: 200 }]);
      expect(await backlog(bridge(), to)).toMatchObject([{ message: name }]);
    }
  });

  test('a body of unknown length that is too large is refused', async () => {
    const { status } = await openRaw(`${bridge().url}${message()}`, async request => {
      for (let n = 0; n < 64 && !request.destroyed; n++)
        if (!request.write('x'.repeat(64 * 1024))) await new Promise(resolve => setImmediate(resolve));
    });
    expect(status).toBe(413);
  });

  test('a compressed body is not unpacked beyond the limit', async () => {
    const to = clientId();
    const body = gzipSync('x'.repeat(2 ** 24));
    const { status } = await send(message(to), {
      method: 'POST',
      body,
      headers: { 'content-encoding': 'gzip' },
    });
    expect([400, 413, 415]).toContain(status);
    const unknown = await send(message(to), { method: 'POST', body, headers: { 'content-encoding': 'zip' } });
    expect([400, 415]).toContain(unknown.status);
    expect(await backlog(bridge(), to)).toEqual([]);
  });

  test('bytes that are no text, and no body at all, are no fault of the server', async () => {
    for (const body of [Buffer.from([0xff, 0xfe, 0x80]), Buffer.from('a\0b'), Buffer.alloc(0)]) {
      const to = clientId();
      const { status } = await send(message(to), { method: 'POST', body });
      expect([200, 400]).toContain(status);
      expect(await backlog(bridge(), to)).toHaveLength(status === 200 ? 1 : 0);
    }
  });

  test('a content type of another charset does not change the message', async () => {
    const to = clientId();
    const headers = { 'content-type': 'text/plain; charset=utf-16' };
    const { status } = await send(message(to), { method: 'POST', body: 'abcd', headers });
    if (status === 200) expect(await backlog(bridge(), to)).toMatchObject([{ message: 'abcd' }]);
    else expect([400, 415]).toContain(status);
  });
}
