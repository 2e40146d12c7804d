import { clientId } from '../client/client-id';
import { openEvents } from '../client/events';
import { ask, randomAddress, type Answer, type Bridge, type RequestOptions } from '../client/request';

const ORIGIN = 'https://dapp.example';

/** `POST /verify`: whether a dApp that asks for a connection is the one that listens for the answer. */
export function verify(bridge: () => Bridge): void {
  const byQuery = (query: Record<string, string>, options: RequestOptions = {}): Promise<Answer> =>
    ask(`${bridge().url}/verify?${new URLSearchParams(query).toString()}`, { method: 'POST', ...options });
  const byBody = (body: unknown, options: RequestOptions = {}): Promise<Answer> =>
    ask(`${bridge().url}/verify`, {
      method: 'POST',
      body: JSON.stringify(body),
      ...options,
      headers: { 'content-type': 'application/json' },
    });

  /** A client that is connected from the page of a dApp. */
  const connected = async (ids?: readonly string[]): Promise<{ client_id: string; address: string }> => {
    const [client_id, address] = [clientId(), randomAddress()];
    const reader = await openEvents(bridge(), ids ?? client_id, { address, headers: { origin: ORIGIN } });
    reader.close();
    return { client_id, address };
  };

  const statusOf = async (query: Record<string, string>, options: RequestOptions = {}): Promise<string> => {
    const [first, second] = [await byQuery(query, options), await byBody(query, options)];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.json).toEqual(first.json);
    return first.json.status;
  };

  test('ok: the same page, from the same address', async () => {
    const { client_id, address } = await connected();
    for (const url of [ORIGIN, `${ORIGIN}/`, `${ORIGIN}/manifest.json?a=b#c`])
      expect(await statusOf({ client_id, url, type: 'connect' }, { address })).toBe('ok');
    expect(await statusOf({ client_id: client_id.toUpperCase(), url: ORIGIN }, { address })).toBe('ok');
  });

  test('warning: the same page, from another address', async () => {
    const { client_id } = await connected();
    expect(await statusOf({ client_id, url: ORIGIN }, { address: '198.51.100.1' })).toBe('warning');
  });

  test('danger: another page', async () => {
    const { client_id, address } = await connected();
    for (const url of [
      'https://evil.example',
      'http://dapp.example',
      `${ORIGIN}:8443`,
      `${ORIGIN}.evil.example`,
    ])
      expect([url, await statusOf({ client_id, url }, { address })]).toEqual([url, 'danger']);
  });

  test('unknown: a client that was never connected', async () => {
    expect(await statusOf({ client_id: clientId(), url: ORIGIN })).toBe('unknown');
  });

  test('each of the ids of one connection is known', async () => {
    const ids = [clientId(), clientId(), clientId()];
    const { address } = await connected(ids);
    for (const client_id of ids) expect(await statusOf({ client_id, url: ORIGIN }, { address })).toBe('ok');
  });

  test.each<readonly [string, Record<string, string>]>([
    ['client_id', { url: ORIGIN }],
    ['client_id', { client_id: 'a', url: ORIGIN }],
    ['url', { client_id: clientId() }],
    ['type', { client_id: clientId(), url: ORIGIN, type: 'other' }],
  ])('%s is refused when it is missing or wrong', async (parameter, query) => {
    for (const { status, json } of [await byQuery(query), await byBody(query)])
      expect({ status, json }).toMatchObject({
        status: 400,
        json: { statusCode: 400, message: expect.stringContaining(parameter) },
      });
  });

  test('bodies that are not what they should be are refused', async () => {
    const client_id = clientId();
    for (const body of [
      [],
      null,
      'text',
      { client_id: 1, url: ORIGIN },
      { client_id, url: {} },
      { client_id, url: 'no' },
    ])
      expect([body, (await byBody(body)).status]).toEqual([body, 400]);
    const broken = await ask(`${bridge().url}/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"client_id":',
    });
    expect(broken.status).toBe(400);
    expect([400, 413]).toContain(
      (await byBody({ client_id, url: ORIGIN, more: 'x'.repeat(2 ** 24) })).status,
    );
  });
}
