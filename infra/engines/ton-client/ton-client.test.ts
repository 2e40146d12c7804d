import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { Address, beginCell, type Cell, serializeTuple } from '@ton/core';
import { pino } from 'pino';
import type { NetworkIdentity } from '../../../contracts/network/network-identity';
import { describeTonClient } from '../../../test/contracts/ton-client';
import { createTonClient, MAX_ANSWER_BYTES } from './ton-client';

const logger = pino({ level: 'silent' });
const stop = new AbortController();
const open = (urls: readonly string[], identity?: NetworkIdentity) =>
  createTonClient({
    urls,
    ...(identity && { identity }),
    logger,
    timeoutMs: 60_000,
    backoffMs: 1,
    signal: stop.signal,
  });
const servers: Server[] = [];
afterAll(() => {
  stop.abort();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

describeTonClient('the HTTP API v4', open);

const ADDRESS = `0:${'11'.repeat(32)}`;
const WALLET = Address.parse(`0:${'22'.repeat(32)}`);
const block = { workchain: -1, shard: '-9223372036854775808', seqno: 7, fileHash: '', rootHash: '' };
const latest = {
  last: block,
  init: { fileHash: '', rootHash: '' },
  stateRootHash: '',
  now: Math.floor(Date.now() / 1_000),
};
const stuckAt = (seqno: number) =>
  JSON.stringify({ ...latest, last: { ...block, seqno }, now: latest.now - 300 });
const run = {
  exitCode: 0,
  result: [],
  resultRaw: serializeTuple([{ type: 'slice', cell: beginCell().storeAddress(WALLET).endCell() }])
    .toBoc()
    .toString('base64'),
  block,
  shardBlock: block,
};

/** A server double: counts calls, and answers with a status alone, or a body, where one is set. */
async function serverDouble() {
  const calls: string[] = [];
  const state: {
    status: number;
    /** Of the contract for which nothing else is answered. */
    failing: string | null;
    /** What is answered for it, instead of a status 500. */
    huge: string | null;
    body: string | null;
    inFlight: number;
    maxInFlight: number;
  } = {
    status: 200,
    failing: null,
    huge: null,
    body: null,
    inFlight: 0,
    maxInFlight: 0,
  };
  const server = createServer((request, response) => {
    calls.push(request.url!);
    state.maxInFlight = Math.max(state.maxInFlight, ++state.inFlight);
    setImmediate(() => {
      state.inFlight--;
      response.setHeader('content-type', 'application/json');
      const isFailing = state.failing !== null && request.url!.includes(state.failing);
      response.statusCode = isFailing && state.huge === null ? 500 : state.status;
      if (isFailing && state.huge !== null) return response.end(state.huge);
      response.end(state.body ?? JSON.stringify(request.url === '/block/latest' ? latest : run));
    });
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls, state };
}

test('a server that fails is skipped, and the one that answered stays in use', async () => {
  const [bad, good] = [await serverDouble(), await serverDouble()];
  bad.state.status = 500;
  const client = open([bad.url, good.url]);
  await client.getLastBlock();
  await client.getLastBlock();
  expect(bad.calls).toHaveLength(1);
  expect(good.calls).toHaveLength(2);
});

test('a server that is behind is passed over for one that is not, by all calls, and is a line of the log', async () => {
  const [stuck, good] = [await serverDouble(), await serverDouble()];
  stuck.state.body = stuckAt(5);
  const lines: string[] = [];
  const client = createTonClient({
    urls: [stuck.url, good.url],
    signal: stop.signal,
    logger: pino({ level: 'info' }, { write: line => void lines.push(line) }),
  });
  const found = await Promise.all([client.getLastBlock(), client.getLastBlock()]);
  expect(found.map(({ seqno }) => seqno)).toEqual([7, 7]);
  const asked = stuck.calls.length;
  await client.getLastBlock();
  await client.runMethod(7, ADDRESS, 'get_jetton_data');
  expect(stuck.calls).toHaveLength(asked);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('minutes old');
});

test('where all servers are behind, or do not answer, the newest block of those that do is the last', async () => {
  const [one, other, bad] = [await serverDouble(), await serverDouble(), await serverDouble()];
  one.state.body = stuckAt(5);
  other.state.body = stuckAt(6);
  bad.state.status = 500;
  expect(await open([one.url, other.url]).getLastBlock()).toMatchObject({ seqno: 6 });
  expect(await open([one.url, bad.url]).getLastBlock()).toMatchObject({ seqno: 5 });
});

test('when no server answers, the call fails after a bounded number of attempts', async () => {
  const bad = await serverDouble();
  bad.state.status = 500;
  await expect(open([bad.url]).getLastBlock()).rejects.toThrow('500');
  expect(bad.calls).toHaveLength(4);
});

test('of what a server answers beside its status nothing is quoted, in the error and the log', async () => {
  const [hostile, good] = [await serverDouble(), await serverDouble()];
  Object.assign(hostile.state, { status: 500, body: JSON.stringify({ error: 'written by the server' }) });
  const lines: string[] = [];
  const logged = pino({ level: 'debug' }, { write: line => void lines.push(line) });
  const client = (...urls: string[]) =>
    createTonClient({ urls, attempts: 2, backoffMs: 1, logger: logged, signal: stop.signal });
  const error: unknown = await client(hostile.url)
    .getLastBlock()
    .catch((thrown: unknown) => thrown);
  expect(inspect(error)).toContain('HTTP 500');
  expect(inspect(error)).not.toContain('written by the server');
  expect(await client(hostile.url, good.url).getLastBlock()).toMatchObject({ seqno: 7 });
  expect(lines.join()).toContain('HTTP 500');
  expect(lines.join()).not.toContain('written by the server');
});

test.each([
  ['that a server cannot answer for', null, 'HTTP 500'],
  ['with more than an answer may have', ' '.repeat(MAX_ANSWER_BYTES + 1), 'more than'],
])(
  'accounts %s, however many are asked at once, keep nobody from reading, and are no warnings',
  async (_, body, words) => {
    const server = await serverDouble();
    const hostile = `0:${'66'.repeat(32)}`;
    server.state.failing = Address.parseRaw(hostile).toString({ urlSafe: true });
    server.state.huge = body;
    const lines: string[] = [];
    const client = createTonClient({
      urls: [server.url],
      backoffMs: 1,
      // On a busy machine that many large answers take longer than the default, and what times out counts as a fault of the server.
      timeoutMs: 60_000,
      signal: stop.signal,
      logger: pino({ level: 'info' }, { write: line => void lines.push(line) }),
    });
    const attack = Array.from({ length: 20 }, (_, n) => [
      client.runMethod(n, hostile, 'get_jetton_data').catch(String),
      client.getAccount(n, hostile).catch(String),
      client.getAccountLite(n, hostile).catch(String),
    ]);
    for (let n = 0; n < 40; n++) {
      expect(await client.getLastBlock()).toMatchObject({ seqno: 7 });
      const answer = await client.runMethod(n, ADDRESS, 'get_wallet_address');
      expect(answer.readAddress().toRawString()).toBe(WALLET.toRawString());
    }
    for (const error of await Promise.all(attack.flat())) expect(error).toContain(words);
    expect(lines).toEqual([]);
  },
);

test('a refusal is not sent to other servers', async () => {
  const [refusing, other] = [await serverDouble(), await serverDouble()];
  refusing.state.status = 422;
  await expect(open([refusing.url, other.url]).sendMessage(Buffer.from([1]))).rejects.toThrow('422');
  expect(other.calls).toEqual([]);
});

test('a read as of a block is one call, also for callers at the same time', async () => {
  const server = await serverDouble();
  const client = open([server.url]);
  const read = async () => (await client.runMethod(7, ADDRESS, 'get_wallet_address')).readAddress();
  const answers = [...(await Promise.all([read(), read()])), await read()];
  expect(answers.every(address => address.equals(WALLET))).toBe(true);
  expect(server.calls).toHaveLength(1);
  await client.runMethod(8, ADDRESS, 'get_wallet_address');
  await client.runMethod(8, ADDRESS, 'get_wallet_address', [{ type: 'int', value: 1n }]);
  expect(server.calls).toHaveLength(3);
});

test('a failure is not cached', async () => {
  const server = await serverDouble();
  const client = open([server.url]);
  server.state.status = 400;
  await expect(client.runMethod(7, ADDRESS, 'seqno')).rejects.toThrow('400');
  server.state.status = 200;
  await client.runMethod(7, ADDRESS, 'seqno');
});

test.each([
  ['numbers', '{"100":123456789012345678901234567890, "239" : 5}'],
  ['text', '{"100":"123456789012345678901234567890","239":"5"}'],
])('an account with extra currencies is read from a server that answers with %s', async (_form, amounts) => {
  const server = await serverDouble();
  const answer = (state: object): string =>
    JSON.stringify({
      account: { state, balance: { coins: '7', currencies: 0 }, last: null, storageStat: null },
      block,
    }).replace('"currencies":0', `"currencies":${amounts}`);
  const client = open([server.url]);
  server.state.body = answer({ type: 'active', codeHash: 'c29tZSBjb2Rl', dataHash: 'c29tZSBkYXRh' });
  expect(await client.getAccountLite(7, ADDRESS)).toEqual({
    balance: 7n,
    status: 'active',
    codeHash: 'c29tZSBjb2Rl',
    dataHash: 'c29tZSBkYXRh',
    stateHash: null,
    storage: null,
    lastTransaction: null,
  });
  server.state.body = answer({ type: 'uninit' });
  expect(await client.getAccount(7, ADDRESS)).toMatchObject({ balance: 7n, status: 'uninitialized' });
});

describe('a server that answers garbage', () => {
  const boc = (cell: Cell): string => cell.toBoc().toString('base64');
  const stack = (resultRaw: string): string => JSON.stringify({ ...run, resultRaw });
  /** Cells that use each other twice: a tree of 2^200 of them. */
  let endless = beginCell().endCell();
  for (let n = 0; n < 200; n++) endless = beginCell().storeRef(endless).storeRef(endless).endCell();

  test.each([
    ['nothing', ''],
    ['a page', '<html><body>It works!</body></html>'],
    ['truncated JSON', '{"account":{"state":'],
    ['null', 'null'],
    ['JSON of another shape', '{"ok":false}'],
    ['a list', '[]'],
    ['numbers for text', '{"account":{"state":{"type":"active","codeHash":7}},"result":7,"resultRaw":7}'],
    ['text for a stack', stack('nonsense')],
    ['a truncated bag of cells', stack(run.resultRaw.slice(0, 12))],
    ['a cell that is no stack', stack(boc(beginCell().storeUint(7, 8).endCell()))],
    ['a stack without end', stack(boc(endless))],
  ])('is refused: %s', async (_what, body) => {
    const server = await serverDouble();
    server.state.body = body;
    const client = createTonClient({ urls: [server.url], attempts: 1, logger, signal: stop.signal });
    await expect(client.runMethod(7, ADDRESS, 'seqno')).rejects.toThrow();
    await expect(client.getAccountLite(7, ADDRESS)).rejects.toThrow();
    await expect(client.getAccount(7, ADDRESS)).rejects.toThrow();
    await expect(client.getConfig(7)).rejects.toThrow();
    await expect(client.getLastBlock()).rejects.toThrow();
  });

  test('a stack without end is the fault of the contract, not of the server', async () => {
    const [server, other] = [await serverDouble(), await serverDouble()];
    server.state.body = stack(boc(endless));
    await expect(open([server.url, other.url]).runMethod(7, ADDRESS, 'seqno')).rejects.toThrow(
      'too many cells',
    );
    expect([server.calls.length, other.calls.length]).toEqual([1, 0]);
  });
});

test('a jetton wallet that was read once needs no server again', async () => {
  const server = await serverDouble();
  const client = open([server.url]);
  const wallet = await client.getJettonWallet(ADDRESS, ADDRESS);
  server.state.status = 500;
  expect(await client.getJettonWallet(ADDRESS, ADDRESS)).toBe(wallet);
  expect(wallet).toBe(WALLET.toRawString());
});

test('the number of cached answers and of calls at a time is bounded', async () => {
  const server = await serverDouble();
  const client = createTonClient({
    urls: [server.url],
    logger,
    maxConcurrent: 2,
    maxCached: 3,
    signal: stop.signal,
  });
  await Promise.all([1, 2, 3, 4, 5, 6].map(seqno => client.runMethod(seqno, ADDRESS, 'seqno')));
  expect(server.state.maxInFlight).toBeLessThanOrEqual(2);
  await client.runMethod(1, ADDRESS, 'seqno');
  expect(server.calls).toHaveLength(7);
});

test('extra currencies are read from a server that answers with numbers, to the last digit', async () => {
  const server = await serverDouble();
  const amounts = '{"100":123456789012345678901234567890, "239" : 5}';
  server.state.body = JSON.stringify({
    account: {
      state: { type: 'uninit' },
      balance: { coins: '1', currencies: 'AMOUNTS' },
      last: null,
      storageStat: null,
    },
    block,
  }).replace('"AMOUNTS"', amounts);
  const { currencies } = await open([server.url]).getAccount(7, ADDRESS);
  expect(currencies).toEqual({ '100': '123456789012345678901234567890', '239': '5' });
});
