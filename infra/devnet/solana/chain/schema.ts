import type { LedgerTransaction } from './ledger';

/** A transaction's position in the chain: slot, then index in the block. */
export const MAX_TRANSACTIONS_PER_SLOT = 2 ** 20;

export function positionOf({ slot, index }: Pick<LedgerTransaction, 'slot' | 'index'>): number {
  return slot * MAX_TRANSACTIONS_PER_SLOT + index;
}
export function slotOf(position: number): number {
  return Math.floor(position / MAX_TRANSACTIONS_PER_SLOT);
}
export function indexOf(position: number): number {
  return position % MAX_TRANSACTIONS_PER_SLOT;
}
export function firstPosition(slot: number): number {
  return positionOf({ slot, index: 0 });
}

/**
 * `accounts` is the state after the newest transaction; `undo` has what the blocks that are not yet finalized overwrote.
 * `holder` and `mint` are set for token accounts.
 */
export const SCHEMA = `
CREATE TABLE IF NOT EXISTS chain (
  id INTEGER PRIMARY KEY CHECK (id = 1), genesis_hash TEXT NOT NULL,
  open_slot INTEGER NOT NULL, root_slot INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS blocks (
  slot INTEGER PRIMARY KEY, height INTEGER NOT NULL, time INTEGER NOT NULL,
  blockhash BLOB NOT NULL, price INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS transactions (
  position INTEGER PRIMARY KEY, signature BLOB NOT NULL UNIQUE, err TEXT, memo TEXT,
  version INTEGER, wire BLOB NOT NULL, body TEXT NOT NULL, meta TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS transaction_accounts (
  address BLOB NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (address, position)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS accounts (
  address BLOB PRIMARY KEY, lamports INTEGER NOT NULL, owner BLOB NOT NULL,
  executable INTEGER NOT NULL, data BLOB NOT NULL, holder BLOB, mint BLOB);
CREATE INDEX IF NOT EXISTS accounts_by_owner ON accounts (owner);
CREATE INDEX IF NOT EXISTS accounts_by_holder ON accounts (holder) WHERE holder IS NOT NULL;
CREATE INDEX IF NOT EXISTS accounts_by_mint ON accounts (mint) WHERE mint IS NOT NULL;
CREATE TABLE IF NOT EXISTS undo (
  slot INTEGER NOT NULL, address BLOB NOT NULL, lamports INTEGER, owner BLOB,
  executable INTEGER, data BLOB, PRIMARY KEY (slot, address)) WITHOUT ROWID;
`;
