import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { WebSocketServer } from 'ws';
import { createEndpoints } from '../../indexers/solana/endpoints';
import { rpcSource } from '../../indexers/solana/rpc-source';
import { WrongNetwork } from '../../indexers/solana/wrong-network';

/** A node that answers calls as a test says. */
type Answer = { result: unknown } | { code: number } | { status: number } | 'silence' | 'nonsense';

const block = {
  blockhash: 'hash',
  previousBlockhash: 'parent-hash',
  parentSlot: 6,
  blockTime: null,
  transactions: [],
};
const servers: Server[] = [];
const stops: AbortController[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function node(answers: Record<string, Answer>) {
  const calls: { method: string; params: unknown[] }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', chunk => (text += chunk));
    request.on('end', () => {
      const { id, method, params } = JSON.parse(text) as { id: number; method: string; params: unknown[] };
      calls.push({ method, params });
      const answer = answers[method] ?? { code: -32601 };
      if (answer === 'silence') return;
      if (answer === 'nonsense') return void response.end('<html>');
      if ('status' in answer) return void response.writeHead(answer.status).end();
      const body = 'code' in answer ? { error: { code: answer.code, message: 'refused' } } : answer;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}

function open(...urls: { url: string; ws?: string }[]) {
  const stop = new AbortController();
  stops.push(stop);
  const logger = pino({ level: 'silent' });
  const endpoints = createEndpoints({ urls, logger, signal: stop.signal, timeout: 2_000, backoff: 1 });
  return { endpoints, source: rpcSource(endpoints), stop };
}

test('a block is asked for whole, with versioned transactions and without rewards', async () => {
  const one = await node({ getBlock: { result: block } });
  expect(await open(one).source.block(7, 'confirmed')).toEqual({ found: { slot: 7, ...block } });
  expect(one.calls).toEqual([
    {
      method: 'getBlock',
      params: [
        7,
        {
          commitment: 'confirmed',
          transactionDetails: 'full',
          encoding: 'json',
          rewards: false,
          maxSupportedTransactionVersion: 1,
        },
      ],
    },
  ]);
});

test.each([
  [-32001, 'pruned'],
  [-32004, 'pending'],
  [-32007, 'skipped'],
  [-32009, 'skipped'],
  [-32014, 'pending'],
])('the code %d says that a block is %s, and is no failure of the node', async (code, absent) => {
  const one = await node({ getBlock: { code } });
  expect(await open(one).source.block(7, 'finalized')).toEqual({ absent });
  expect(one.calls).toHaveLength(1);
});

test('a block that is null is not there yet', async () => {
  const one = await node({ getBlock: { result: null } });
  expect(await open(one).source.header(7, 'finalized')).toEqual({ absent: 'pending' });
});

test('what one node has forgotten is asked of the next', async () => {
  const recent = await node({ getBlock: { code: -32001 } });
  const archive = await node({ getBlock: { result: block } });
  expect(await open(recent, archive).source.block(7, 'finalized')).toMatchObject({ found: { slot: 7 } });
  const other = await node({ getBlock: { code: -32001 } });
  expect(await open(recent, other).source.block(7, 'finalized')).toEqual({ absent: 'pruned' });
});

test.each<[string, Answer]>([
  ['answers 503', { status: 503 }],
  ['answers nonsense', 'nonsense'],
  ['answers a block of another shape', { result: { ...block, blockhash: 7 } }],
  ['refuses', { code: -32005 }],
  ['does not answer in time', 'silence'],
])('a node that %s is passed by', async (_, answer) => {
  const bad = await node({ getBlock: answer });
  const good = await node({ getBlock: { result: block } });
  const { source } = open(bad, good);
  expect(await source.block(7, 'confirmed')).toMatchObject({ found: { slot: 7 } });
  await source.block(7, 'confirmed');
  expect(bad.calls).toHaveLength(1); // the one that answered stays in use
});

test('when no node answers the read fails after a bounded number of attempts', async () => {
  const one = await node({ getBlock: { status: 500 } });
  await expect(open(one).source.block(7, 'confirmed')).rejects.toThrow('HTTP 500');
  expect(one.calls).toHaveLength(4);
});

test('a node of another network is passed by, and alone it is refused', async () => {
  const wrong = await node({ getGenesisHash: { result: 'other' }, getBlock: { result: block } });
  const right = await node({ getGenesisHash: { result: 'ours' }, getBlock: { result: block } });
  const both = open(wrong, right);
  both.source.expectGenesis('ours');
  await both.source.block(7, 'confirmed');
  expect(wrong.calls.map(({ method }) => method)).toEqual(['getGenesisHash']);
  const alone = open(wrong);
  alone.source.expectGenesis('ours');
  await expect(alone.source.block(7, 'confirmed')).rejects.toThrow(WrongNetwork);
});

test('stopping ends a call that nobody answers', async () => {
  const one = await node({ getBlock: 'silence' });
  const { source, stop } = open(one);
  const call = source.block(7, 'confirmed');
  setImmediate(() => stop.abort());
  await expect(call).rejects.toThrow();
});

test('a new slot wakes before the time is over, also after the connection was lost', async () => {
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise<void>(resolve => sockets.once('listening', resolve));
  const subscribed = (): Promise<{ tell(): void; drop(): void }> =>
    new Promise(resolve =>
      sockets.once('connection', socket =>
        socket.once('message', data => {
          expect(JSON.parse(String(data))).toMatchObject({ method: 'slotSubscribe' });
          resolve({ tell: () => socket.send('{}'), drop: () => socket.terminate() });
        }),
      ),
    );
  const first = subscribed();
  const { source } = open({
    url: 'http://127.0.0.1:1',
    ws: `ws://127.0.0.1:${(sockets.address() as AddressInfo).port}`,
  });
  const one = await first;
  const woken = source.woken(60_000);
  one.tell();
  await woken;
  const second = subscribed();
  one.drop();
  const again = source.woken(60_000);
  (await second).tell();
  await again;
  await source.woken(1);
  sockets.close();
});
