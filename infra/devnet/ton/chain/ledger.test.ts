import { join } from 'node:path';
import { type Cell, beginCell } from '@ton/core';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { type Block, hashesWithoutCells } from './block';
import type { ExecutedTransaction } from './execution';
import { type Ledger, openLedger } from './ledger';
import { WHOLE } from './shards';

const folder = temporaryFolder();
const alice = `0:${'aa'.repeat(32)}`;
const bob = `0:${'bb'.repeat(32)}`;
const cell = (number: number): Cell => beginCell().storeUint(number, 32).endCell();
const base64 = (number: number): string => cell(number).toBoc().toString('base64');

const block = (seqno: number, utime = seqno): Block => ({
  seqno,
  utime,
  endLt: seqno * 1_000_000,
  rootHash: Buffer.alloc(32, seqno),
  fileHash: Buffer.alloc(32, 50 + seqno),
  stateHash: Buffer.alloc(32, 100 + seqno),
  branch: 0,
  shards: [{ shard: WHOLE, seqno, hashes: { root: 'root', file: 'file', state: 'state' } }],
});
const transaction = (account: string, lt: number, previousLt: number): ExecutedTransaction => ({
  account,
  lt,
  previousLt,
  hash: Buffer.alloc(32, lt),
  boc: cell(lt).toBoc(),
});

let files = 0;
let ledger: Ledger;
beforeEach(() => {
  ledger = openLedger(join(folder, `${++files}.sqlite`));
  ledger.append(block(0), { transactions: [], accounts: new Map(), queue: [] });
  ledger.append(block(1), {
    transactions: [transaction(bob, 11, 0), transaction(alice, 10, 0), transaction(alice, 12, 10)],
    accounts: new Map([
      [alice, base64(1)],
      [bob, base64(2)],
    ]),
    queue: [{ destination: bob, cell: cell(99) }],
  });
  ledger.append(block(2, 5), { transactions: [], accounts: new Map(), queue: [] });
  ledger.append(block(3, 5), {
    transactions: [transaction(alice, 30, 12)],
    accounts: new Map([[alice, base64(3)]]),
    queue: [{ destination: alice, cell: cell(98) }],
  });
});
afterEach(() => ledger.close());

it('finds blocks by number and time', () => {
  expect(ledger.tip()).toEqual(block(3, 5));
  expect([ledger.block(1), ledger.block(4)]).toEqual([block(1), null]);
  expect([0, 1, 4, 5, 9].map(utime => ledger.blockAt(utime)!.seqno)).toEqual([0, 1, 1, 3, 3]);
  expect(ledger.blockAt(-1)).toBeNull();
});

it('has blocks without cells, as earlier versions stored them, with hashes made from that of the root', () => {
  const rootHash = Buffer.alloc(32, 9);
  const hashes = hashesWithoutCells(rootHash);
  const stored = { ...block(4), ...hashes, branch: null };
  ledger.append(stored, { transactions: [transaction(bob, 40, 11)], accounts: new Map(), queue: [] });
  expect(ledger.tip()).toEqual(stored);
  expect(ledger.history(bob, 40, 1)[0]!.block).toEqual(stored);
});

it('lists a block by logical time and an account newest first', () => {
  expect(ledger.transactionsOf(1).map(({ lt }) => lt)).toEqual([10, 11, 12]);
  expect(ledger.history(alice, 30, 2).map(({ lt, block: { seqno } }) => [lt, seqno])).toEqual([
    [30, 3],
    [12, 1],
  ]);
  expect(ledger.history(alice, 29, 9).map(({ lt }) => lt)).toEqual([12, 10]);
});

it('ends a history at the last creation of the account', () => {
  ledger.append(block(4), { transactions: [transaction(alice, 40, 0)], accounts: new Map(), queue: [] });
  expect(ledger.history(alice, 40, 9).map(({ lt }) => lt)).toEqual([40]);
  expect(ledger.history(alice, 30, 9).map(({ lt }) => lt)).toEqual([30, 12, 10]);
});

it('has the state of an account as of every block', () => {
  const states = [0, 1, 2, 3].map(seqno => ledger.account(alice, seqno)?.toString('base64') ?? null);
  expect(states).toEqual([null, base64(1), base64(1), base64(3)]);
});

it('keeps only the last queue of messages', () => {
  expect(ledger.queue().map(({ destination }) => destination)).toEqual([alice]);
  expect(ledger.queue()[0]!.cell.equals(cell(98))).toBe(true);
});

it('creates missing accounts', () => {
  ledger.place([
    [alice, base64(7)],
    [`-1:${'33'.repeat(32)}`, base64(8)],
  ]);
  expect(ledger.account(alice, 3)!.toString('base64')).toBe(base64(3));
  expect(ledger.account(`-1:${'33'.repeat(32)}`, 3)!.toString('base64')).toBe(base64(8));
});

it('drops everything after a block', () => {
  expect(ledger.branch()).toBe(0);
  ledger.truncateAfter(1);
  expect(ledger.branch()).toBe(1);
  expect(ledger.tip()!.seqno).toBe(1);
  expect(ledger.history(alice, 30, 9).map(({ lt }) => lt)).toEqual([12, 10]);
  expect(ledger.account(alice, 3)!.toString('base64')).toBe(base64(1));
  expect(ledger.queue()).toEqual([]);
  const again = { ...block(2), fileHash: Buffer.alloc(32, 7), branch: 1 };
  ledger.append(again, { transactions: [], accounts: new Map(), queue: [] });
  expect(ledger.tip()).toEqual(again);
});

it('stores a block atomically', () => {
  const twice = [transaction(bob, 40, 11), transaction(alice, 30, 12)];
  expect(() => ledger.append(block(4), { transactions: twice, accounts: new Map(), queue: [] })).toThrow();
  expect([ledger.tip()!.seqno, ledger.history(bob, 99, 9).length]).toEqual([3, 1]);
  expect(ledger.queue()).toHaveLength(1);
});
