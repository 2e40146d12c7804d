import { clientId } from '../client/client-id';
import { answerToEvents } from '../client/events';
import { postWith } from '../client/post';
import { ask, type Answer, type Bridge } from '../client/request';

const ORIGIN = 'https://dapp.example';
const headers = { origin: ORIGIN };

/** Web pages of any origin may call every endpoint and read every answer. */
export function cors(bridge: () => Bridge): void {
  const events = (query: Record<string, string>) => (): Promise<Answer> =>
    answerToEvents(bridge(), query, { headers });
  const message =
    (query: Record<string, string>, body = 'm') =>
    (): Promise<Answer> =>
      postWith(bridge(), query, { headers, body });
  const client_id = clientId();
  const valid = { client_id, to: clientId(), ttl: '300' };

  test.each<readonly [string, number, () => Promise<Answer>]>([
    ['a stream', 200, events({ client_id })],
    ['a refused stream', 400, events({ client_id: 'a' })],
    ['a stream with too long a target', 414, events({ client_id: 'a'.repeat(204_800) })],
    ['an accepted message', 200, message(valid)],
    ['a refused message', 400, message({ ...valid, ttl: '0' })],
    ['a message that is too large', 413, message(valid, 'x'.repeat(2 ** 21))],
    ['a verification', 200, () => verify({ client_id, url: ORIGIN })],
    ['a refused verification', 400, () => verify({})],
    ['an unknown path', 404, () => ask(`${bridge().url}/nothing`, { headers })],
  ])('%s', async (_, expected, answer) => {
    const { status, headers: answered } = await answer();
    expect(status).toBe(expected);
    expect(['*', ORIGIN]).toContain(answered['access-control-allow-origin']);
    if (answered['access-control-allow-origin'] === '*')
      expect(answered).not.toHaveProperty('access-control-allow-credentials');
    else expect(answered.vary).toMatch(/origin/i);
  });

  test.each(['GET /message', 'DELETE /message', 'POST /events', 'PUT /events', 'GET /verify'])(
    '%s: not a method of it, which is said with CORS',
    async name => {
      const [method, path] = name.split(' ') as [string, string];
      const { status, headers: answered } = await ask(`${bridge().url}${path}`, { method, headers });
      expect([404, 405]).toContain(status);
      expect(answered).toHaveProperty('access-control-allow-origin');
    },
  );

  test.each([
    ['events', 'GET', ['last-event-id', 'cache-control', 'authorization']],
    ['message', 'POST', ['content-type']],
    ['verify', 'POST', ['content-type']],
  ])('preflight of %s', async (path, method, requested) => {
    const { status, headers: answered } = await ask(`${bridge().url}/${path}`, {
      method: 'OPTIONS',
      headers: {
        ...headers,
        'access-control-request-method': method,
        'access-control-request-headers': requested.join(','),
      },
    });
    expect([200, 204]).toContain(status);
    expect(['*', ORIGIN]).toContain(answered['access-control-allow-origin']);
    expect(answered['access-control-allow-methods']).toContain(method);
    const allowed = answered['access-control-allow-headers']!.toLowerCase();
    for (const name of requested.filter(each => each !== 'authorization' && each !== 'cache-control'))
      expect(allowed).toContain(name);
    expect(Number(answered['access-control-max-age'])).toBeGreaterThan(0);
  });

  function verify(query: Record<string, string>): Promise<Answer> {
    const url = `${bridge().url}/verify?${new URLSearchParams(query).toString()}`;
    return ask(url, { method: 'POST', headers });
  }
}
