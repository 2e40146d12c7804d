import { gzipSync } from 'node:zlib';
import pino from 'pino';
import { nextPage, startBackfill } from '../../indexers/solana/backfill/backfill';
import type { BackfillProgress } from '../../indexers/solana/backfill/progress';
import { SOLANA_TOPICS } from '../../indexers/solana/indexer';
import type { RawBlock } from '../../indexers/solana/raw';
import { rpcSource } from '../../indexers/solana/rpc-source';
import { createSolanaClient } from '../../infra/engines/solana-client/solana-client';
import { FailingLog } from '../doubles/failing';
import { messagesOf } from './fixture';
import { mentioning } from './raw-transactions';
import { startRpcNode, type RpcNode, type Tampered } from './rpc-node';

const ALICE = 'So11111111111111111111111111111111111111112';
const nodes: RpcNode[] = [];
const stops: AbortController[] = [];
const logs: FailingLog[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) stop.abort();
  for (const node of nodes.splice(0)) node.close();
  for (const log of logs.splice(0)) await log.close();
});

/** Transactions of Alice among others, `perSlot` in each block. */
function chainOf(count: number, perSlot: number): RawBlock[] {
  return Array.from({ length: Math.ceil(count / perSlot) }, (_, n) => ({
    slot: n + 1,
    blockhash: `block-${n + 1}`,
    previousBlockhash: `block-${n}`,
    parentSlot: n,
    blockTime: 1_700_000_000 + n,
    transactions: [
      mentioning(`other-${n}`, 'Bob'),
      ...Array.from({ length: Math.min(perSlot, count - n * perSlot) }, (_each, index) =>
        mentioning(`s${n * perSlot + index}`, 'Bob', ALICE),
      ),
    ],
  }));
}

async function start(blocks: readonly RawBlock[]) {
  const node = await startRpcNode(blocks);
  nodes.push(node);
  const stop = new AbortController();
  stops.push(stop);
  const logger = pino({ level: 'silent' });
  const client = createSolanaClient({ urls: [node], logger, signal: stop.signal, backoffMs: 1 });
  const log = new FailingLog();
  await log.declare(SOLANA_TOPICS);
  logs.push(log);
  const metrics = { published: () => undefined, deadLettered: () => undefined };
  const deps = { network: 'mainnet' as const, source: rpcSource(client), log, metrics };
  const readAll = async (): Promise<void> => {
    let progress: BackfillProgress = await startBackfill(deps, { address: ALICE, watch: 1, reading: 0 }, 0);
    while (progress.phase !== 'done') progress = await nextPage(deps, progress, async () => undefined);
  };
  const published = (): string[] =>
    messagesOf(log).flatMap(message => (message.type === 'transaction' ? [message.signature] : []));
  return { node, readAll, published };
}

const expected = (count: number): string[] => Array.from({ length: count }, (_, n) => `s${n}`).sort();

test('4,000 transactions in as many blocks take a call for every thirty, all answers compressed', async () => {
  const { node, readAll, published } = await start(chainOf(4_000, 1));
  await readAll();
  expect(published().sort()).toEqual(expected(4_000));
  expect(4_000 / node.requests).toBeGreaterThan(30);
  expect(node.calls['getTransaction']).toBe(4_000);
  expect(node.compressible).toBe(node.requests);
});

test('transactions that share blocks take a call a block', async () => {
  const { node, readAll, published } = await start(chainOf(2_000, 50));
  await readAll();
  expect(published().sort()).toEqual(expected(2_000));
  expect(node.calls['getTransaction'] ?? 0).toBe(0);
  // A page may end within a block, which is then read for both pages.
  expect(node.calls['getBlock']).toBeLessThanOrEqual(44);
});

test.each([0, 1, 7, 30])('a node that takes %d calls in a batch gives the same history', async maxBatch => {
  const { node, readAll, published } = await start(chainOf(300, 1));
  node.maxBatch = maxBatch;
  await readAll();
  expect(published().sort()).toEqual(expected(300));
  expect(node.requests).toBeLessThan((300 / Math.max(maxBatch / 2, 1)) * 2 + 30);
});

const page = (text: string): Tampered => ({ body: text, headers: { 'content-type': 'text/html' } });
const reordered = (text: string): string => {
  const parsed = JSON.parse(text) as unknown;
  return JSON.stringify(Array.isArray(parsed) ? [...(parsed as unknown[])].reverse() : parsed);
};
const withResult = (text: string, change: (result: unknown[]) => unknown): string => {
  const parsed = JSON.parse(text) as { result?: unknown } | unknown[];
  if (Array.isArray(parsed) || !Array.isArray(parsed.result)) return text;
  return JSON.stringify({ ...parsed, result: change(parsed.result) });
};
const inBatch = (text: string, change: (batch: { id: number; result: unknown }[]) => unknown): string => {
  const parsed = JSON.parse(text) as { id: number; result: unknown }[];
  return Array.isArray(parsed) ? JSON.stringify(change(parsed)) : text;
};

/** Faults of a node, each of two in seven answers. */
test.each<[string, (text: string) => Tampered]>([
  ['sends HTML', () => page('<html><body>Attention required</body></html>')],
  ['truncates its answers', text => ({ body: text.slice(0, text.length / 2) })],
  ['sends nothing', () => ({ body: '' })],
  [
    'claims a compression that it did not do',
    text => ({ body: text, headers: { 'content-encoding': 'gzip' } }),
  ],
  [
    'truncates compressed answers',
    text => ({ body: gzipSync(text).subarray(0, 30), headers: { 'content-encoding': 'gzip' } }),
  ],
  ['limits the rate', () => ({ status: 429, headers: { 'retry-after': '0' }, body: 'slow down' })],
  ['is overloaded', () => ({ status: 503, body: 'overloaded' })],
  ['reorders the answers of a batch', text => ({ body: reordered(text) })],
  ['repeats an answer of a batch', text => ({ body: inBatch(text, batch => [...batch, batch[0]]) })],
  ['leaves out an answer of a batch', text => ({ body: inBatch(text, batch => batch.slice(1)) })],
  [
    'mixes up the answers of a batch',
    text => ({
      body: inBatch(text, batch =>
        batch.map(({ id, ...rest }, n) => ({ ...rest, id: batch[(n + 1) % batch.length]!.id })),
      ),
    }),
  ],
  ['lists signatures twice', text => ({ body: withResult(text, result => [...result, ...result]) })],
  [
    'lists signatures in another order',
    text => ({ body: withResult(text, result => [...result].reverse()) }),
  ],
  ['answers another question', () => ({ body: JSON.stringify({ jsonrpc: '2.0', id: 1, result: 7 }) })],
  ['answers with an error that is none', () => ({ body: JSON.stringify({ error: 'no' }) })],
])('a node that now and then %s costs time, and the history is exact', async (_, tamper) => {
  const { node, readAll, published } = await start(chainOf(60, 1));
  let answers = 0;
  node.tamper = text => ((answers += 1) ** 2 % 7 === 2 ? tamper(text) : null);
  for (let attempts = 0; attempts < 20; attempts++) {
    const error = await readAll().then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (error === null) break;
    expect(error).toBeInstanceOf(Error);
  }
  expect([...new Set(published())].sort()).toEqual(expected(60));
});

test('a node that always lists from the newest is refused, rather than listed for ever', async () => {
  const { node, readAll } = await start(chainOf(1_200, 1));
  let first: string | null = null;
  node.tamper = text => {
    if (!text.includes('"err":null,"memo"')) return null;
    first ??= text;
    return { body: first };
  };
  await expect(readAll()).rejects.toThrow(/lists/);
});
