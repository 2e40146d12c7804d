import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { beginCell } from '@ton/core';
import { WrongNetwork } from '../../../contracts/network/wrong-network';
import { createV4Source } from './v4-source';

const ACCOUNT = `0:${'11'.repeat(32)}`;
const hash = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
const cell = beginCell().storeUint(7, 8).endCell();
const ref = { lt: '9', hash: cell.hash().toString('base64') };
const { signal } = new AbortController();

const open: { close(): unknown }[] = [];
afterEach(async () => void (await Promise.all(open.splice(0).map(each => each.close()))));

type Bodies = Record<string, unknown>;
const bodies = (network: number): Bodies => ({
  '/block/latest': {
    last: { seqno: network * 100 },
    init: { rootHash: hash(network), fileHash: hash(network) },
  },
  '/block/5': {
    exist: true,
    block: { shards: [{ workchain: -1, shard: '1', seqno: 5, rootHash: hash(network), transactions: [] }] },
  },
  lite: { account: { last: { lt: String(network), hash: hash(network) } } },
  tx: { boc: cell.toBoc().toString('base64') },
});

/** A server double that is of network 1 until a test says otherwise; `before` may answer in its place. */
async function serverDouble() {
  const server = {
    url: '',
    network: 1,
    requests: [] as string[],
    before: (_request: IncomingMessage, _response: ServerResponse): boolean => false,
  };
  const http: Server = createServer((request, response) => {
    server.requests.push(request.url!);
    if (server.before(request, response)) return;
    const all = bodies(server.network);
    const key = request.url!.endsWith('/lite') ? 'lite' : request.url!.includes('/tx/') ? 'tx' : request.url!;
    response.end(JSON.stringify(all[key] ?? { exist: false }));
  });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  open.push({ close: () => http.closeAllConnections() }, http);
  server.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return server;
}

const ours = `${hash(1)}:${hash(1)}`;
function sourceOf(...servers: { readonly url: string }[]) {
  const source = createV4Source({
    endpoints: servers.map(({ url }) => url),
    retryMs: 1,
    identity: {
      async check(url, found) {
        if (found !== ours) throw new WrongNetwork(`${url} serves ${found}`);
      },
    },
  });
  open.push(source);
  return source;
}
const reads = {
  tip: (source: ReturnType<typeof sourceOf>) => source.tip(signal),
  block: (source: ReturnType<typeof sourceOf>) => source.block(5, signal),
  last: (source: ReturnType<typeof sourceOf>) => source.last(ACCOUNT, 5, signal),
  transactions: (source: ReturnType<typeof sourceOf>) => source.transactions(ACCOUNT, ref, signal),
};

test.each(Object.entries(reads))('%s: nothing is read of a server of another network', async (_, read) => {
  const server = await serverDouble();
  server.network = 2;
  await expect(read(sourceOf(server))).rejects.toThrow(WrongNetwork);
  server.network = 1;
  await read(sourceOf(server));
});

test.each([['block'], ['last']] as const)(
  '%s: an answer of a server that was replaced meanwhile is discarded',
  async name => {
    const server = await serverDouble();
    const source = sourceOf(server);
    await source.tip(signal);
    server.before = request => {
      if (!request.url!.endsWith('/latest')) server.network = 2;
      return false;
    };
    await expect(reads[name](source)).rejects.toThrow(WrongNetwork);
  },
);

test('the tip names its network itself, and a page of transactions is known by its hash', async () => {
  const server = await serverDouble();
  const source = sourceOf(server);
  for (let n = 0; n < 3; n++) {
    await source.tip(signal);
    await source.transactions(ACCOUNT, ref, signal);
  }
  expect(server.requests.filter(path => path === '/block/latest')).toHaveLength(3);
  await source.block(5, signal);
  expect(server.requests.filter(path => path === '/block/latest')).toHaveLength(4);
});

test('a server that is behind is passed over for one that is not; where all are, the newest tip counts', async () => {
  const servers = [await serverDouble(), await serverDouble()];
  const ages = new Map(servers.map(server => [server, 300]));
  for (const [at, server] of servers.entries())
    server.before = (request, response) => {
      if (!request.url!.endsWith('/latest')) return false;
      const now = Math.floor(Date.now() / 1_000) - ages.get(server)!;
      response.end(JSON.stringify({ ...bodies(1)['/block/latest']!, last: { seqno: 7 - at }, now }));
      return true;
    };
  expect(await sourceOf(...servers).tip(signal)).toBe(7);
  ages.set(servers[1]!, 0);
  const source = sourceOf(...servers);
  expect(await source.tip(signal)).toBe(6);
  const asked = servers[0]!.requests.length;
  expect(await source.tip(signal)).toBe(6);
  expect(servers[0]!.requests).toHaveLength(asked);
});

test('the server of another network among several is skipped, and named when all are asked', async () => {
  const [wrong, right] = [await serverDouble(), await serverDouble()];
  wrong.network = 2;
  const source = sourceOf(wrong, right);
  expect(await source.block(5, signal)).toMatchObject({ rootHash: hash(1) });
  expect(new Set(wrong.requests.filter(path => !path.endsWith('/watch')))).toEqual(
    new Set(['/block/latest']),
  );
  await source.verifySources();
});

const answer =
  (status: number, body: string | Buffer, headers = {}) =>
  (_: unknown, response: ServerResponse) => {
    response.writeHead(status, headers).end(body);
    return true;
  };
test.each<[string, (request: IncomingMessage, response: ServerResponse) => boolean]>([
  ['answers 429', answer(429, 'slow down', { 'retry-after': '1' })],
  ['answers HTML', answer(200, '<html></html>', { 'content-type': 'text/html' })],
  ['compresses what nobody asked for', answer(200, gzipSync('{}'), { 'content-encoding': 'gzip' })],
  ['calls plain text compressed', answer(200, 'not gzip', { 'content-encoding': 'gzip' })],
  [
    'ends before its announced length',
    answer(200, '{"las', { 'content-length': '100', connection: 'close' }),
  ],
  ['leaves its zerostate out', answer(200, JSON.stringify({ last: { seqno: 1 } }))],
  [
    'has a zerostate of another shape',
    answer(200, JSON.stringify({ last: { seqno: 1 }, init: { rootHash: 1 } })),
  ],
])('a server that %s is skipped', async (_, before) => {
  const [bad, good] = [await serverDouble(), await serverDouble()];
  bad.before = before;
  const source = sourceOf(bad, good);
  expect(await source.block(5, signal)).toMatchObject({ seqno: 5 });
  expect(await source.tip(signal)).toBe(100);
});

test('a block that is another than the one asked for is refused', async () => {
  const server = await serverDouble();
  const source = sourceOf(server);
  server.before = (request, response) =>
    request.url === '/block/6' && answer(200, JSON.stringify(bodies(1)['/block/5']))(request, response);
  await expect(source.block(6, signal)).rejects.toThrow('about another block');
});

test('a page that does not begin with the transaction asked for is refused', async () => {
  const server = await serverDouble();
  const other = { lt: '9', hash: hash(9) };
  await expect(sourceOf(server).transactions(ACCOUNT, other, signal)).rejects.toThrow('does not begin with');
});
