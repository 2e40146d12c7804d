import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { WebSocketServer } from 'ws';
import type { NetworkIdentity } from '../../contracts/network/network-identity';
import { RpcError } from '../../contracts/ports/solana-client';
import { createSolanaClient } from '../../infra/engines/solana-client/solana-client';
import { rpcSource } from '../../indexers/solana/rpc-source';
import type { SolanaSource } from '../../indexers/solana/source';
import { WrongNetwork } from '../../contracts/network/wrong-network';
import { until } from '../until';
import { mentioning } from './raw-transactions';

/** What a node double answers to a call. */
type Answer =
  { result: unknown } | { code: number } | { status: number } | { text: string } | 'silence' | 'nonsense';

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
  jest.restoreAllMocks();
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
      if ('text' in answer) return void response.end(answer.text);
      const body = 'code' in answer ? { error: { code: answer.code, message: 'refused' } } : answer;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}

interface NodeUrls {
  readonly url: string;
  readonly ws?: string;
}

const open = (...urls: readonly NodeUrls[]) => openOf(undefined, urls);

function openOf(identity: NetworkIdentity | undefined, urls: readonly NodeUrls[]) {
  const stop = new AbortController();
  stops.push(stop);
  const logger = pino({ level: 'silent' });
  const client = createSolanaClient({
    urls,
    ...(identity && { identity }),
    logger,
    signal: stop.signal,
    timeoutMs: 60_000,
    backoffMs: 1,
  });
  return { client, source: rpcSource(client), stop };
}

/** Block 7, after its transactions have been read. */
async function readBlock(source: SolanaSource) {
  const outcome = await source.block(7, 'confirmed');
  return 'found' in outcome
    ? { ...outcome.found, transactions: [...outcome.found.transactions] }
    : Promise.reject(new Error(outcome.absent));
}

test('a block is requested whole, with versioned transactions and without rewards', async () => {
  const one = await node({ getBlock: { result: block } });
  expect(await readBlock(open(one).source)).toEqual({ slot: 7, ...block });
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
])('error code %d means that a block is %s, and is not a failure of the node', async (code, absent) => {
  const one = await node({ getBlock: { code } });
  expect(await open(one).source.block(7, 'finalized')).toEqual({ absent });
  expect(one.calls).toHaveLength(1);
});

test('a block with a malformed transaction is an error when that is read, and requested from the next node then', async () => {
  const transactions = ['s1', 's2', 's3'].map(signature => mentioning(signature, 'Alice'));
  const text = JSON.stringify({ id: 1, result: { ...block, transactions, slot: 7 } });
  const bad = await node({ getBlock: { text: text.replace('["s2"]', '["s2",]') } });
  const good = await node({ getBlock: { text } });
  const { source } = open(bad, good);
  await expect(readBlock(source)).rejects.toThrow(SyntaxError);
  expect(await readBlock(source)).toMatchObject({ transactions });
  expect([bad.calls.length, good.calls.length]).toEqual([1, 1]);
});

test('a block that is null is pending', async () => {
  const one = await node({ getBlock: { result: null } });
  expect(await open(one).source.header(7, 'finalized')).toEqual({ absent: 'pending' });
});

test('what one node has pruned is requested from the next', async () => {
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
])('a node that %s is skipped', async (_, answer) => {
  const bad = await node({ getBlock: answer });
  const good = await node({ getBlock: { result: block } });
  const { source } = open(bad, good);
  // Of the first request only, and once it has arrived: on a busy machine each takes long.
  const timeout = new AbortController();
  if (answer === 'silence') jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(timeout.signal);
  const found = source.block(7, 'confirmed');
  await until(() => bad.calls.length === 1);
  timeout.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  expect(await found).toMatchObject({ found: { slot: 7 } });
  await source.block(7, 'confirmed');
  expect(bad.calls).toHaveLength(1); // the node that answered stays in use
});

test('when no node answers, the read fails after a bounded number of attempts', async () => {
  const one = await node({ getBlock: { status: 500 } });
  await expect(open(one).source.block(7, 'confirmed')).rejects.toThrow('HTTP 500');
  expect(one.calls).toHaveLength(4);
});

const OURS = { result: 'o'.repeat(43) };
const ANOTHER = { result: 'a'.repeat(43) };

/** Opens a client of nodes that must be of the genesis `OURS`. */
const openOurs = (...urls: { url: string }[]) => {
  const check = async (url: string, found: string): Promise<void> => {
    if (found !== OURS.result) throw new WrongNetwork(`${url} has genesis ${found}`);
  };
  return openOf({ check }, urls);
};

test('a node of another network is skipped, and an error when it is the only one', async () => {
  const wrong = await node({ getGenesisHash: ANOTHER, getBlock: { result: block } });
  const right = await node({ getGenesisHash: OURS, getBlock: { result: block } });
  await openOurs(wrong, right).source.block(7, 'confirmed');
  expect(wrong.calls.map(({ method }) => method)).toEqual(['getGenesisHash']);
  await expect(openOurs(wrong).source.block(7, 'confirmed')).rejects.toThrow(WrongNetwork);
});

test.each<[string, Answer]>([
  ['answers 429', { status: 429 }],
  ['answers HTML', 'nonsense'],
  ['answers with a genesis of another shape', { result: '<html>' }],
  ['refuses to answer', { code: -32601 }],
])('a node that %s when asked for its genesis is skipped', async (_, answer) => {
  const bad = await node({ getGenesisHash: answer, getBlock: { result: block } });
  const good = await node({ getGenesisHash: OURS, getBlock: { result: block } });
  expect(await openOurs(bad, good).source.block(7, 'confirmed')).toMatchObject({ found: { slot: 7 } });
  expect(bad.calls.map(({ method }) => method)).toEqual(['getGenesisHash']);
});

test('a slot that is a mere hint costs no question after it', async () => {
  const one = await node({ getGenesisHash: OURS, getSlot: { result: 7 } });
  const { source } = openOurs(one);
  await source.slotHint('confirmed');
  await source.slotHint('confirmed');
  expect(one.calls.map(({ method }) => method)).toEqual(['getGenesisHash', 'getSlot', 'getSlot']);
  await source.slot('finalized');
  expect(one.calls.at(-1)!.method).toBe('getGenesisHash');
});

test('the signal ends a call that no node answers', async () => {
  const one = await node({ getBlock: 'silence' });
  const { source, stop } = open(one);
  const call = source.block(7, 'confirmed');
  setImmediate(() => stop.abort());
  await expect(call).rejects.toThrow();
});

test('a new slot ends the wait early, also after the connection was lost', async () => {
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise<void>(resolve => sockets.once('listening', resolve));
  const subscribed = (): Promise<{ announce(): void; drop(): void }> =>
    new Promise(resolve =>
      sockets.once('connection', socket =>
        socket.once('message', data => {
          expect(JSON.parse(String(data))).toMatchObject({ method: 'slotSubscribe' });
          resolve({ announce: () => socket.send('{}'), drop: () => socket.terminate() });
        }),
      ),
    );
  const first = subscribed();
  const { source } = open({
    url: 'http://127.0.0.1:1',
    ws: `ws://127.0.0.1:${(sockets.address() as AddressInfo).port}`,
  });
  const one = await first;
  const next = source.waitForSlot(60_000);
  one.announce();
  await next;
  const second = subscribed();
  one.drop();
  const again = source.waitForSlot(60_000);
  (await second).announce();
  await again;
  await source.waitForSlot(1);
  sockets.close();
});

test('a refusal is not sent to other nodes', async () => {
  const refusing = await node({ sendTransaction: { code: -32002 } });
  const other = await node({ sendTransaction: { result: 'signature' } });
  const { client } = open(refusing, other);
  await expect(client.sendTransaction(Buffer.from([1]))).rejects.toThrow(RpcError);
  expect(other.calls).toEqual([]);
});

test('a node that fails again and again is not called for a while', async () => {
  const bad = await node({ getBlock: { status: 500 } });
  const { source } = open(bad);
  for (let reads = 0; reads < 3; reads++)
    await expect(source.block(7, 'confirmed')).rejects.toThrow('HTTP 500');
  expect(bad.calls).toHaveLength(8);
});
