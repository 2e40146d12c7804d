import { generateKeyPairSync } from 'node:crypto';
import {
  headersFor,
  post,
  steppedDouble,
  type Reply,
  type SteppedDouble,
} from '../../../test/devnet/changelly';

let stepped: SteppedDouble;
let url: string;

beforeAll(async () => {
  stepped = await steppedDouble();
  ({ url } = stepped.double);
});
afterAll(() => stepped.double.close());

const request = (more: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 'one', method: 'getPairs', params: {}, ...more });

describe('authentication', () => {
  const refused = { status: 401, text: 'Unauthorized' };

  it('accepts a body signed with the registered key, on both paths', async () => {
    expect(await post(url, request())).toMatchObject({ status: 200, json: { jsonrpc: '2.0', id: 'one' } });
    expect((await post(url.replace('/v2', '/'), request())).status).toBe(200);
  });

  it('refuses a body that is not exactly the signed one', async () => {
    expect(await post(url, `${request()} `, headersFor(request()))).toMatchObject(refused);
  });

  it('refuses the signature of another key, and another key altogether', async () => {
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
    expect(await post(url, request(), headersFor(request(), other.privateKey))).toMatchObject(refused);
    const own = headersFor(request(), other.privateKey, other.publicKey);
    expect(await post(url, request(), own)).toMatchObject(refused);
  });

  it.each(['X-Api-Key', 'X-Api-Signature'])('refuses a request without %s', async header => {
    const { [header]: _left, ...headers } = headersFor(request());
    expect(await post(url, request(), headers)).toMatchObject(refused);
  });

  it('wants the key in base64, not in hexadecimal', async () => {
    const headers = headersFor(request());
    const hex = Buffer.from(headers['X-Api-Key']!, 'base64').toString('hex');
    expect(await post(url, request(), { ...headers, 'X-Api-Key': hex })).toMatchObject(refused);
  });
});

describe('JSON-RPC', () => {
  const errorOf = ({ status, json }: Reply) => ({ status, id: json.id, code: json.error?.code });

  it.each([
    ['no JSON', '{', { id: null, code: -32700 }],
    ['no object', '[]', { id: null, code: -32600 }],
    ['no version', JSON.stringify({ id: 'one', method: 'getPairs' }), { id: null, code: -32600 }],
    ['no id', JSON.stringify({ jsonrpc: '2.0', method: 'getPairs' }), { id: null, code: -32600 }],
    ['an unknown method', request({ method: 'getMinimum' }), { id: 'one', code: -32601 }],
    ['the name of an inherited member', request({ method: 'toString' }), { id: 'one', code: -32601 }],
    ['an unknown parameter', request({ params: { form: 'btc' } }), { id: 'one', code: -32602 }],
  ])('%s has its error with HTTP 200', async (_what, body, expected) => {
    expect(errorOf(await post(url, body))).toEqual({ status: 200, ...expected });
  });

  it('a method without parameters needs none', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 'one', method: 'getCurrenciesFull' });
    expect((await post(url, body)).json.result).toHaveLength(19);
  });

  it('echoes a number as id too', async () => {
    expect((await post(url, request({ id: 7 }))).json.id).toBe(7);
  });

  it('is served nowhere else, and by POST alone', async () => {
    expect((await post(`${url}/v2`, request())).status).toBe(404);
    expect((await fetch(url)).status).toBe(405);
  });

  it('refuses a body beyond 256 KiB', async () => {
    const body = ' '.repeat(256 * 1024 + 1);
    expect((await post(url, body)).status).toBe(413);
  });
});

describe('the request limit', () => {
  it('refuses the eleventh call of a second and accepts it in the next', async () => {
    const limited = await steppedDouble({ requestsPerSecond: 10 });
    const replies = await Promise.all(Array.from({ length: 11 }, () => limited.call('getPairs', {})));
    expect(replies.map(({ json }) => json.error).filter(Boolean)).toEqual([
      { code: -32600, message: 'Error: You reached requests limit 10 rps' },
    ]);
    limited.advance(1);
    expect((await limited.call('getPairs', {})).json.result).toBeDefined();
    expect(limited.double.calls().get('getPairs')).toBe(11);
    await limited.double.close();
  });
});
