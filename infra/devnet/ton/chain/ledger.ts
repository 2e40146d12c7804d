import { Cell } from '@ton/core';
import { openDatabase } from '../../../engines/sqlite/database';
import { type Block, hashesWithoutCells } from './block';
import type { BlockBody, ExecutedTransaction } from './execution';
import type { Inbound } from './messages';
import { SCHEMA } from './schema';
import type { ShardBlock } from './shards';
import { readJson } from '../../../../contracts/json/read-json';

/** A raw address and its `ShardAccount` in base64. */
export type PlacedAccount = readonly [address: string, shardAccount: string];

export type TransactionRef = Pick<ExecutedTransaction, 'account' | 'lt' | 'hash'>;

export interface StoredTransaction extends ExecutedTransaction {
  readonly block: Block;
}

/** The chain on disk. A block and all its changes are stored in one transaction. */
export interface Ledger {
  /** Null before the zero state is stored. */
  tip(): Block | null;
  block(seqno: number): Block | null;
  /** The last block at or before that second. */
  blockAt(utime: number): Block | null;
  /** By logical time. */
  transactionsOf(seqno: number): TransactionRef[];
  /** With their cells as bags, by logical time. */
  bagsOf(seqno: number): Pick<ExecutedTransaction, 'account' | 'lt' | 'boc'>[];
  /** An account's transactions from `lt` back to its first, newest first. */
  history(account: string, lt: number, limit: number): StoredTransaction[];
  /** The `ShardAccount` as of a block; null when there was none yet. */
  account(address: string, seqno: number): Buffer | null;
  /** Internal messages for the next block. */
  queue(): Inbound[];
  append(
    block: Block,
    body: Pick<BlockBody, 'accounts' | 'queue'> & { readonly transactions: readonly ExecutedTransaction[] },
  ): void;
  /** Creates accounts that do not exist, as of the tip. */
  place(accounts: readonly PlacedAccount[]): void;
  /** Another state of an account as of the tip, without a transaction. */
  replace(account: PlacedAccount): void;
  /** Number of rollbacks so far. */
  branch(): number;
  /** Drops every block after this one, and the queued messages. */
  truncateAfter(seqno: number): void;
  setting(name: string): string | null;
  set(name: string, value: string): void;
  close(): void;
}

type BlockRow = readonly [
  ...[seqno: number, utime: number, endLt: number, rootHash: Buffer, shards: string],
  ...[fileHash: Buffer | null, stateHash: Buffer | null, branch: number | null],
];
type RefRow = readonly [account: string, lt: number, hash: Buffer];

const toBlock = ([seqno, utime, endLt, rootHash, shards, fileHash, stateHash, branch]: BlockRow): Block => ({
  seqno,
  utime,
  endLt,
  branch,
  ...(fileHash && stateHash ? { rootHash, fileHash, stateHash } : hashesWithoutCells(rootHash)),
  shards: readJson(shards) as ShardBlock[],
});

const BRANCH = 'branch';
const COLUMNS = 'b.seqno, b.utime, b.end_lt, b.root_hash, b.shards, c.file_hash, c.state_hash, c.branch';
const BLOCKS = 'blocks b LEFT JOIN block_cells c ON c.seqno = b.seqno';

export function openLedger(path: string): Ledger {
  const db = openDatabase(path);
  db.exec(SCHEMA);
  const tip = db.prepare<BlockRow>(`SELECT ${COLUMNS} FROM ${BLOCKS} ORDER BY b.seqno DESC LIMIT 1`);
  const block = db.prepare<BlockRow>(`SELECT ${COLUMNS} FROM ${BLOCKS} WHERE b.seqno = ?`);
  const blockAt = db.prepare<BlockRow>(
    `SELECT ${COLUMNS} FROM ${BLOCKS} WHERE b.utime <= ? ORDER BY b.utime DESC, b.seqno DESC LIMIT 1`,
  );
  const transactionsOf = db.prepare<RefRow>(
    'SELECT account, lt, hash FROM transactions WHERE seqno = ? ORDER BY lt',
  );
  const bagsOf = db.prepare<readonly [account: string, lt: number, boc: Buffer]>(
    'SELECT account, lt, boc FROM transactions WHERE seqno = ? ORDER BY lt',
  );
  const history = db.prepare<readonly [...RefRow, previousLt: number, boc: Buffer, ...BlockRow]>(
    `SELECT t.account, t.lt, t.hash, t.previous_lt, t.boc, ${COLUMNS} FROM transactions t JOIN blocks b ON b.seqno = t.seqno
     LEFT JOIN block_cells c ON c.seqno = b.seqno
     WHERE t.account = ? AND t.lt <= ? ORDER BY t.lt DESC LIMIT ?`,
  );
  const account = db.prepare<readonly [Buffer]>(
    'SELECT shard_account FROM accounts WHERE address = ? AND seqno <= ? ORDER BY seqno DESC LIMIT 1',
  );
  const queue = db.prepare<readonly [destination: string, message: Buffer]>(
    'SELECT destination, message FROM queue ORDER BY position',
  );
  const setting = db.prepare<readonly [string]>('SELECT value FROM settings WHERE name = ?');
  const insert = {
    block: db.prepare('INSERT INTO blocks (seqno, utime, end_lt, root_hash, shards) VALUES (?, ?, ?, ?, ?)'),
    cells: db.prepare('INSERT INTO block_cells (seqno, file_hash, state_hash, branch) VALUES (?, ?, ?, ?)'),
    transaction: db.prepare(
      'INSERT INTO transactions (account, lt, previous_lt, hash, seqno, boc) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    account: db.prepare('INSERT INTO accounts (address, seqno, shard_account) VALUES (?, ?, ?)'),
    queued: db.prepare('INSERT INTO queue (position, destination, message) VALUES (?, ?, ?)'),
    replaced: db.prepare('INSERT OR REPLACE INTO accounts (address, seqno, shard_account) VALUES (?, ?, ?)'),
    setting: db.prepare('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)'),
  };
  const clear = {
    queue: db.prepare('DELETE FROM queue'),
    blocks: db.prepare('DELETE FROM blocks WHERE seqno > ?'),
    cells: db.prepare('DELETE FROM block_cells WHERE seqno > ?'),
    transactions: db.prepare('DELETE FROM transactions WHERE seqno > ?'),
    accounts: db.prepare('DELETE FROM accounts WHERE seqno > ?'),
  };
  const blockOrNull = (row: BlockRow | undefined): Block | null => (row ? toBlock(row) : null);

  const branch = (): number => Number(setting.get([BRANCH])?.[0] ?? 0);

  return {
    branch,
    tip: () => blockOrNull(tip.get()),
    block: seqno => blockOrNull(block.get([seqno])),
    blockAt: utime => blockOrNull(blockAt.get([utime])),
    transactionsOf: seqno =>
      transactionsOf.all([seqno]).map(([address, lt, hash]) => ({ account: address, lt, hash })),
    bagsOf: seqno => bagsOf.all([seqno]).map(([owner, lt, boc]) => ({ account: owner, lt, boc })),
    history: (address, lt, limit) => {
      const page = history.all([address, lt, limit]).map(([owner, at, hash, previousLt, boc, ...row]) => ({
        account: owner,
        lt: at,
        hash,
        previousLt,
        boc,
        block: toBlock(row),
      }));
      const first = page.findIndex(({ previousLt }) => previousLt === 0);
      return first < 0 ? page : page.slice(0, first + 1);
    },
    account: (address, seqno) => account.get([address, seqno])?.[0] ?? null,
    queue: () =>
      queue.all().map(([destination, message]) => ({ destination, cell: Cell.fromBoc(message)[0]! })),
    append: (block, body) => {
      const { seqno, utime, endLt, rootHash, fileHash, stateHash, branch, shards } = block;
      db.transaction(() => {
        insert.block.run([seqno, utime, endLt, rootHash, JSON.stringify(shards)]);
        if (branch !== null) insert.cells.run([seqno, fileHash, stateHash, branch]);
        for (const { account: owner, lt, previousLt, hash, boc } of body.transactions) {
          insert.transaction.run([owner, lt, previousLt, hash, seqno, boc]);
        }
        for (const [address, shardAccount] of body.accounts) {
          insert.account.run([address, seqno, Buffer.from(shardAccount, 'base64')]);
        }
        clear.queue.run();
        body.queue.forEach(({ destination, cell }, position) =>
          insert.queued.run([position, destination, cell.toBoc()]),
        );
      });
    },
    place: accounts => {
      db.transaction(() => {
        const [seqno] = tip.get()!;
        for (const [address, shardAccount] of accounts) {
          if (account.get([address, seqno])) continue;
          insert.account.run([address, seqno, Buffer.from(shardAccount, 'base64')]);
        }
      });
    },
    replace: ([address, shardAccount]) => {
      const [seqno] = tip.get()!;
      insert.replaced.run([address, seqno, Buffer.from(shardAccount, 'base64')]);
    },
    truncateAfter: seqno => {
      db.transaction(() => {
        clear.queue.run();
        for (const from of [clear.blocks, clear.cells, clear.transactions, clear.accounts]) from.run([seqno]);
        insert.setting.run([BRANCH, String(branch() + 1)]);
      });
    },
    setting: name => setting.get([name])?.[0] ?? null,
    set: (name, value) => void insert.setting.run([name, value]),
    close: () => db.close(),
  };
}
