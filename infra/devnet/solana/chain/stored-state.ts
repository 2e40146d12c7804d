import type { Database } from '../../../engines/sqlite/database';
import type { StoredAccount } from '../svm/account';
import { base58 } from '../svm/base58';
import { type AccountRow, toAccount } from './account-row';

export interface ChainState {
  readonly genesisHash: string;
  /** The slot of the open block. */
  readonly openSlot: number;
  /** The newest finalized slot. */
  readonly rootSlot: number;
}

type AddressedRow = [address: Buffer, ...AccountRow];
type UndoRow = [slot: number, address: Buffer, ...(AccountRow | [null, null, null, null])];

/** Null for an empty database. */
export function readState(database: Database): ChainState | null {
  const row = database
    .prepare<[string, number, number]>('SELECT genesis_hash, open_slot, root_slot FROM chain')
    .get();
  return row ? { genesisHash: row[0], openSlot: row[1], rootSlot: row[2] } : null;
}

/** All accounts, programs last: the engine reads their code when they are set. */
export function eachAccount(
  database: Database,
  visit: (address: string, account: StoredAccount) => void,
): void {
  const next = database.prepare<AddressedRow>(
    `SELECT address, lamports, owner, executable, data FROM accounts
     WHERE executable = ? AND address > ? ORDER BY address LIMIT 1000`,
  );
  for (const executable of [0, 1]) {
    let page = next.all([executable, Buffer.alloc(0)]);
    while (page.length > 0) {
      for (const [address, ...row] of page) visit(base58(address), toAccount(row));
      page = next.all([executable, page.at(-1)![0]]);
    }
  }
}

/** What unfinalized blocks overwrote, oldest first. */
export function eachUndo(
  database: Database,
  fromSlot: number,
  visit: (slot: number, address: string, before: StoredAccount | null) => void,
): void {
  const rows = database
    .prepare<UndoRow>(
      'SELECT slot, address, lamports, owner, executable, data FROM undo WHERE slot >= ? ORDER BY slot',
    )
    .all([fromSlot]);
  for (const [slot, address, ...row] of rows)
    visit(slot, base58(address), row[0] === null ? null : toAccount(row as AccountRow));
}
