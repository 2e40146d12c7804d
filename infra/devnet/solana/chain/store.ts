import { type Database, openDatabase } from '../../../engines/sqlite/database';
import type { AccountChanges } from '../svm/account';
import { fromAccount } from './account-row';
import { fromBase58 } from '../svm/base58';
import type { BlockHeader, LedgerTransaction, LedgerWrite } from './ledger';
import { positionOf, SCHEMA } from './schema';
import { readHolding } from '../svm/token-state';

/** The chain on disk. Every write is durable when it returns. */
export interface Store {
  readonly database: Database;
  create(genesisHash: string, block: BlockHeader, accounts: AccountChanges, openSlot: number): void;
  write(write: LedgerWrite): void;
  /** Drops all blocks from a slot on, with their transactions and changes to accounts. */
  revert(revert: LedgerRevert): void;
  /** Deletes the blocks before a slot; their transactions stay. */
  prune(beforeSlot: number): void;
  close(): void;
}

export interface LedgerRevert {
  readonly fromSlot: number;
  readonly transactions: readonly LedgerTransaction[];
  readonly accounts: AccountChanges;
  readonly openSlot: number;
  readonly rootSlot: number;
}

const key = (address: string): Buffer => fromBase58(address)!;

/** Opens the chain's file as its one owner; a backup may read it. @throws UnusableDatabase, or SQLITE_BUSY when it has an owner */
export function openStore(path: string): Store {
  const lock = openDatabase(`${path}.lock`, { busyTimeoutMs: 500 });
  lock.exec('BEGIN IMMEDIATE');
  const database = openDatabase(path, { busyTimeoutMs: 500 });
  database.exec('PRAGMA cache_size=-8192; PRAGMA wal_autocheckpoint=1000');
  database.exec(SCHEMA);

  const putTransaction = database.prepare('INSERT INTO transactions VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const dropTransaction = database.prepare('DELETE FROM transactions WHERE position = ?');
  const putAccountKey = database.prepare('INSERT OR IGNORE INTO transaction_accounts VALUES (?, ?)');
  const dropAccountKey = database.prepare(
    'DELETE FROM transaction_accounts WHERE address = ? AND position = ?',
  );
  const putBlock = database.prepare('INSERT INTO blocks VALUES (?, ?, ?, ?, ?)');
  const dropBlocks = database.prepare('DELETE FROM blocks WHERE slot >= ?');
  const pruneBlocks = database.prepare('DELETE FROM blocks WHERE slot < ?');
  const putAccount = database.prepare('INSERT OR REPLACE INTO accounts VALUES (?, ?, ?, ?, ?, ?, ?)');
  const dropAccount = database.prepare('DELETE FROM accounts WHERE address = ?');
  const putUndo = database.prepare('INSERT INTO undo VALUES (?, ?, ?, ?, ?, ?)');
  const pruneUndo = database.prepare('DELETE FROM undo WHERE slot <= ?');
  const dropUndo = database.prepare('DELETE FROM undo WHERE slot >= ?');
  const setState = database.prepare('UPDATE chain SET open_slot = ?, root_slot = ?');

  const saveBlock = ({ slot, height, time, blockhash, price }: BlockHeader): void => {
    putBlock.run([slot, height, time, key(blockhash), price]);
  };
  const saveAccounts = (accounts: AccountChanges): void => {
    for (const [address, account] of accounts) {
      if (!account) {
        dropAccount.run([key(address)]);
        continue;
      }
      const holding = readHolding(account);
      putAccount.run([
        key(address),
        ...fromAccount(account),
        holding && Buffer.from(holding.owner),
        holding && Buffer.from(holding.mint),
      ]);
    }
  };

  return {
    database,
    create: (genesisHash, block, accounts, openSlot) =>
      database.transaction(() => {
        database.prepare('INSERT INTO chain VALUES (1, ?, ?, ?)').run([genesisHash, openSlot, block.slot]);
        saveBlock(block);
        saveAccounts(accounts);
      }),
    write: ({ transactions, accounts, undo, block, openSlot, rootSlot }) =>
      database.transaction(() => {
        for (const transaction of transactions) {
          const position = positionOf(transaction);
          const { signature, err, memo, version, wire, body, meta } = transaction;
          putTransaction.run([
            position,
            key(signature),
            err === null ? null : JSON.stringify(err),
            memo,
            version === 'legacy' ? null : version,
            wire,
            body,
            meta,
          ]);
          for (const address of transaction.accountKeys) putAccountKey.run([key(address), position]);
        }
        saveAccounts(accounts);
        for (const { slot, address, before } of undo)
          putUndo.run([slot, key(address), ...(before ? fromAccount(before) : [null, null, null, null])]);
        if (block) {
          saveBlock(block);
          pruneUndo.run([rootSlot]);
          setState.run([openSlot, rootSlot]);
        }
      }),
    revert: ({ fromSlot, transactions, accounts, openSlot, rootSlot }) =>
      database.transaction(() => {
        for (const transaction of transactions) {
          const position = positionOf(transaction);
          dropTransaction.run([position]);
          for (const address of transaction.accountKeys) dropAccountKey.run([key(address), position]);
        }
        setState.run([openSlot, rootSlot]);
        dropBlocks.run([fromSlot]);
        dropUndo.run([fromSlot]);
        saveAccounts(accounts);
      }),
    prune: beforeSlot => {
      pruneBlocks.run([beforeSlot]);
    },
    close: () => {
      database.close();
      lock.exec('ROLLBACK');
      lock.close();
    },
  };
}
