import { backlog } from '../client/backlog';
import { clientId } from '../client/client-id';
import { postWith, tryPost } from '../client/post';
import { ask, type Bridge } from '../client/request';
import { MALFORMED_IDS, withoutParameter } from './malformed';

const MALFORMED_TTLS: readonly (readonly [string, string])[] = [
  ['empty', ''],
  ['a word', 'soon'],
  ['zero', '0'],
  ['negative', '-1'],
  ['a fraction', '1.5'],
  ['above the maximum', '301'],
  ['far above the maximum', '99999999999999999999'],
  ['an exponent', '1e2'],
  ['hexadecimal', '0x10'],
  ['not a number', 'NaN'],
  ['with a space', ' 60'],
];

/** What `POST /message` refuses and accepts. */
export function messageRequests(bridge: () => Bridge): void {
  const valid = (): Record<string, string> => ({ client_id: clientId(), to: clientId(), ttl: '300' });

  const expectRefused = async (query: Record<string, string>, parameter: string): Promise<void> => {
    const { status, json } = await postWith(bridge(), query);
    expect({ status, json }).toMatchObject({
      status: 400,
      json: { statusCode: 400, message: expect.stringContaining(parameter) },
    });
  };

  test('a message that is accepted', async () => {
    const { status, headers, json } = await postWith(bridge(), valid());
    expect({ status, json }).toEqual({ status: 200, json: { message: 'OK', statusCode: 200 } });
    expect(headers['content-type']).toMatch(/^application\/json/);
  });

  describe.each(['client_id', 'to', 'ttl'])('%s', parameter => {
    test('missing', () => expectRefused(withoutParameter(valid(), parameter), parameter));
  });

  describe.each(['client_id', 'to'])('%s', parameter => {
    test.each(MALFORMED_IDS)('%s', (_, id) => expectRefused({ ...valid(), [parameter]: id }, parameter));
  });

  test.each(MALFORMED_TTLS)('ttl: %s', (_, ttl) => expectRefused({ ...valid(), ttl }, 'ttl'));

  test('the first wrong parameter is named, in the order client_id, to, ttl', async () => {
    await expectRefused({}, 'client_id');
    await expectRefused({ client_id: clientId(), ttl: '0' }, 'to');
    await expectRefused({ client_id: clientId(), to: clientId(), ttl: '0' }, 'ttl');
  });

  test.each(['1', '300'])('ttl: %s is accepted', async ttl => {
    expect((await postWith(bridge(), { ...valid(), ttl })).status).toBe(200);
  });

  test('parameters are read from the query alone', async () => {
    const body = JSON.stringify(valid());
    const { status } = await ask(`${bridge().url}/message`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(status).toBe(400);
  });

  test('a parameter that is given twice is not a fault of the server', async () => {
    for (const name of ['client_id', 'to', 'ttl', 'topic', 'trace_id']) {
      const query = `${new URLSearchParams(valid()).toString()}&${name}=a&${name}=b`;
      const { status } = await ask(`${bridge().url}/message?${query}`, { method: 'POST', body: 'm' });
      expect([name, status < 500]).toEqual([name, true]);
    }
  });

  test('ids are the same key in upper and lower case, and are delivered in lower case', async () => {
    const [from, to] = [clientId(), clientId()];
    await tryPost(bridge(), { from: from.toUpperCase(), to: to.toUpperCase(), body: 'a' });
    await tryPost(bridge(), { from, to, body: 'b' });
    const expected = [
      { from, message: 'a' },
      { from, message: 'b' },
    ];
    for (const id of [to, to.toUpperCase()]) expect(await backlog(bridge(), id)).toMatchObject(expected);
  });

  test.each([
    undefined,
    'text/plain',
    'application/json',
    'application/octet-stream',
    'text/plain;charset=utf-8',
  ])('the body is delivered as it is: content type %s', async type => {
    const [from, to] = [clientId(), clientId()];
    const body = 'q83vEjRWeJA+/w==';
    const headers = type === undefined ? {} : { 'content-type': type };
    expect(await tryPost(bridge(), { from, to, body, headers })).toMatchObject({ status: 200 });
    expect(await backlog(bridge(), to)).toMatchObject([{ from, message: body }]);
  });

  test('a body that would break a frame or its JSON is delivered as it is', async () => {
    const [from, to] = [clientId(), clientId()];
    const body = 'a "quote"\nid: 1\ndata: {}\n\nevent: message\r\n\u2028 \u{1F30A} \\';
    expect(await tryPost(bridge(), { from, to, body })).toMatchObject({ status: 200 });
    expect(await backlog(bridge(), to)).toMatchObject([{ from, message: body }]);
  });

  test('a body of 32 KiB is delivered whole', async () => {
    const [from, to] = [clientId(), clientId()];
    const body = 'x'.repeat(32 * 1024);
    expect(await tryPost(bridge(), { from, to, body })).toMatchObject({ status: 200 });
    expect(await backlog(bridge(), to)).toMatchObject([{ message: body }]);
  });

  test('a body that is too large: 413, and nothing of it is delivered', async () => {
    for (const size of [2 ** 20 + 1, 12 * 2 ** 20]) {
      const [from, to] = [clientId(), clientId()];
      const { status, json } = await tryPost(bridge(), { from, to, body: 'x'.repeat(size) });
      expect({ status, json }).toMatchObject({ status: 413, json: { statusCode: 413 } });
      expect(await backlog(bridge(), to)).toEqual([]);
    }
  });

  test('a request target that is too long: 414', async () => {
    const { status } = await postWith(bridge(), { ...valid(), topic: 'x'.repeat(500_000) });
    expect(status).toBe(414);
    expect((await postWith(bridge(), { ...valid(), client_id: 'a'.repeat(204_800) })).status).toBe(414);
  });
}
