import type { Database } from '../../../engines/sqlite/database';
import { type AccountRow, toAccount } from './account-row';
import type { StoredAccount } from '../svm/account';
import { base58, fromBase58 } from '../svm/base58';
import type { BlockHeader, LedgerTransaction } from './ledger';
import { firstPosition, indexOf, MAX_TRANSACTIONS_PER_SLOT, slotOf } from './schema';
import { readJson } from '../../../../contracts/json/read-json';

export interface SignatureEntry {
  readonly signature: string;
  readonly slot: number;
  readonly err: LedgerTransaction['err'];
  readonly memo: string | null;
  readonly time: number | null;
}

/** A range of an account's history, newest first; both positions are exclusive. */
export interface HistoryRange {
  readonly before: number;
  readonly after: number;
  readonly limit: number;
}

export interface AddressedAccount {
  readonly address: string;
  readonly account: StoredAccount;
}

export type AccountIndex = 'owner' | 'holder' | 'mint';

/** What happened in a period; `slot` is its last one. */
export interface PerformanceSample {
  readonly slot: number;
  readonly numSlots: number;
  readonly numTransactions: number;
}

type BlockRow = [slot: number, height: number, time: number, blockhash: Buffer, price: number];
type TransactionRow = [
  position: number,
  signature: Buffer,
  err: string | null,
  memo: string | null,
  version: 0 | null,
  wire: Buffer,
  body: string,
  meta: string,
];

const toBlock = ([slot, height, time, blockhash, price]: BlockRow): BlockHeader => ({
  slot,
  height,
  time,
  blockhash: base58(blockhash),
  price,
});
const toError = (err: string | null): LedgerTransaction['err'] =>
  err === null ? null : (readJson(err) as LedgerTransaction['err']);
const toTransaction = (row: TransactionRow): LedgerTransaction => {
  const [position, signature, err, memo, version, wire, body, meta] = row;
  return {
    slot: slotOf(position),
    index: indexOf(position),
    signature: base58(signature),
    err: toError(err),
    memo,
    version: version ?? 'legacy',
    wire,
    body,
    meta,
    get accountKeys() {
      return accountKeysOf(body, meta);
    },
  };
};

interface TransactionBody {
  readonly message: { readonly accountKeys: readonly string[] };
}
interface TransactionMeta {
  readonly loadedAddresses: { readonly writable: readonly string[]; readonly readonly: readonly string[] };
}

/** All accounts of a transaction, from its RPC form. */
function accountKeysOf(body: string, meta: string): string[] {
  const { message } = readJson(body) as TransactionBody;
  const { loadedAddresses } = readJson(meta) as TransactionMeta;
  return [...message.accountKeys, ...loadedAddresses.writable, ...loadedAddresses.readonly];
}

const TRANSACTION = 'SELECT position, signature, err, memo, version, wire, body, meta FROM transactions';
const BLOCK = 'SELECT slot, height, time, blockhash, price FROM blocks';
const ACCOUNT = 'SELECT address, lamports, owner, executable, data FROM accounts';

/** Queries of the chain on disk. */
export function createQueries(database: Database) {
  const blockAt = database.prepare<BlockRow>(`${BLOCK} WHERE slot = ?`);
  const blockBefore = database.prepare<BlockRow>(`${BLOCK} WHERE slot < ? ORDER BY slot DESC LIMIT 1`);
  const blocksUpTo = database.prepare<BlockRow>(`${BLOCK} WHERE slot <= ? ORDER BY slot DESC LIMIT ?`);
  const slots = database.prepare<[number]>(
    'SELECT slot FROM blocks WHERE slot BETWEEN ? AND ? ORDER BY slot LIMIT ?',
  );
  const firstSlot = database.prepare<[number]>('SELECT min(slot) FROM blocks');
  const inSlot = database.prepare<TransactionRow>(
    `${TRANSACTION} WHERE position >= ? AND position < ? ORDER BY position`,
  );
  const bySignature = database.prepare<TransactionRow>(`${TRANSACTION} WHERE signature = ?`);
  const has = database.prepare<[number]>('SELECT position FROM transactions WHERE signature = ?');
  const history = database.prepare<[Buffer, number, string | null, string | null, number | null]>(
    `SELECT t.signature, m.position, t.err, t.memo, b.time
     FROM transaction_accounts m JOIN transactions t ON t.position = m.position
     LEFT JOIN blocks b ON b.slot = m.position / ${MAX_TRANSACTIONS_PER_SLOT}
     WHERE m.address = ? AND m.position < ? AND m.position > ? ORDER BY m.position DESC LIMIT ?`,
  );
  const totalLamports = database.prepare<[number]>('SELECT coalesce(sum(lamports), 0) FROM accounts');
  const largest = database.prepare<[Buffer]>('SELECT address FROM accounts ORDER BY lamports DESC LIMIT ?');
  const periods = database.prepare<[lowest: number, highest: number]>(
    `SELECT min(slot), max(slot) FROM (SELECT slot, time / ? AS period FROM blocks WHERE slot BETWEEN 1 AND ?)
     WHERE period < ? GROUP BY period ORDER BY period DESC LIMIT ?`,
  );
  const countBetween = database.prepare<[number]>(
    'SELECT count(*) FROM transactions WHERE position >= ? AND position < ?',
  );
  const accountsBy = {
    owner: database.prepare<[Buffer, ...AccountRow]>(`${ACCOUNT} WHERE owner = ?`),
    holder: database.prepare<[Buffer, ...AccountRow]>(`${ACCOUNT} WHERE holder = ?`),
    mint: database.prepare<[Buffer, ...AccountRow]>(`${ACCOUNT} WHERE mint = ?`),
  } as const;

  return {
    block: (slot: number): BlockHeader | null => {
      const row = blockAt.get([slot]);
      return row ? toBlock(row) : null;
    },
    blockBefore: (slot: number): BlockHeader | null => {
      const row = blockBefore.get([slot]);
      return row ? toBlock(row) : null;
    },
    /** The newest blocks up to a slot, newest first. */
    newestBlocks: (slot: number, limit: number): BlockHeader[] => blocksUpTo.all([slot, limit]).map(toBlock),
    slots: (from: number, to: number, limit: number): number[] =>
      slots.all([from, to, limit]).map(([slot]) => slot),
    firstSlot: (): number => firstSlot.get()?.[0] ?? 0,
    transactions: (slot: number): LedgerTransaction[] =>
      inSlot.all([firstPosition(slot), firstPosition(slot + 1)]).map(toTransaction),
    has: (signature: string): boolean => has.get([fromBase58(signature)!]) !== undefined,
    transaction: (signature: string): LedgerTransaction | null => {
      const row = bySignature.get([fromBase58(signature)!]);
      return row ? toTransaction(row) : null;
    },
    history: (address: string, { before, after, limit }: HistoryRange): SignatureEntry[] =>
      history
        .all([fromBase58(address)!, before, after, limit])
        .map(([signature, position, err, memo, time]) => ({
          signature: base58(signature),
          slot: slotOf(position),
          err: toError(err),
          memo,
          time,
        })),
    /** Lamports of all accounts after the newest transaction. */
    totalLamports: (): bigint => BigInt(totalLamports.get()![0]),
    largestAccounts: (limit: number): string[] => largest.all([limit]).map(([address]) => base58(address)),
    /** What happened in the last full periods up to a block, newest first. @param seconds of a period */
    performance: (newest: BlockHeader, seconds: number, limit: number): PerformanceSample[] =>
      periods
        .all([seconds, newest.slot, Math.floor(newest.time / seconds), limit])
        .map(([lowest, highest]) => ({
          slot: highest,
          numSlots: highest - lowest + 1,
          numTransactions: countBetween.get([firstPosition(lowest), firstPosition(highest + 1)])![0],
        })),
    /** Accounts after the newest transaction. */
    accounts: (index: AccountIndex, address: string): AddressedAccount[] =>
      accountsBy[index]
        .all([fromBase58(address)!])
        .map(([key, ...row]) => ({ address: base58(key), account: toAccount(row) })),
  };
}

export type Queries = ReturnType<typeof createQueries>;
