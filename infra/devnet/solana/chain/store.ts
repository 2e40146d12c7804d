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
  found(genesisHash: string, block: BlockHeader, accounts: AccountChanges, openSlot: number): void;
  write(write: LedgerWrite): void;
  /** Takes back all blocks from a slot on: their transactions, and what they did to accounts. */
  revert(revert: LedgerRevert): void;
  /** Forgets the blocks before a slot; their transactions stay. */
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

/** Opens the chain's file for this process alone. @throws UnusableDatabase, or SQLITE_BUSY when another has it open */
export function openStore(path: string): Store {
  const database = openDatabase(path, { busyTimeout: 500 });
  // One owner, so no shared memory and no lock per statement; a second owner is turned away.
  database.exec('PRAGMA locking_mode=EXCLUSIVE; PRAGMA cache_size=-8192; PRAGMA wal_autocheckpoint=1000');
  database.exec(SCHEMA);

  const putTransaction = database.prepare('INSERT INTO transactions VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const dropTransaction = database.prepare('DELETE FROM transactions WHERE position = ?');
  const putMention = database.prepare('INSERT OR IGNORE INTO mentions VALUES (?, ?)');
  const dropMention = database.prepare('DELETE FROM mentions WHERE address = ? AND position = ?');
  const putBlock = database.prepare('INSERT INTO blocks VALUES (?, ?, ?, ?, ?)');
  const dropBlocks = database.prepare('DELETE FROM blocks WHERE slot >= ?');
  const pruneBlocks = database.prepare('DELETE FROM blocks WHERE slot < ?');
  const putAccount = database.prepare('INSERT OR REPLACE INTO accounts VALUES (?, ?, ?, ?, ?, ?, ?)');
  const dropAccount = database.prepare('DELETE FROM accounts WHERE address = ?');
  const putUndo = database.prepare('INSERT INTO undo VALUES (?, ?, ?, ?, ?, ?)');
  const forgetUndo = database.prepare('DELETE FROM undo WHERE slot <= ?');
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
    found: (genesisHash, block, accounts, openSlot) =>
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
          for (const address of transaction.mentions) putMention.run([key(address), position]);
        }
        saveAccounts(accounts);
        for (const { slot, address, before } of undo)
          putUndo.run([slot, key(address), ...(before ? fromAccount(before) : [null, null, null, null])]);
        if (block) {
          saveBlock(block);
          forgetUndo.run([rootSlot]);
          setState.run([openSlot, rootSlot]);
        }
      }),
    revert: ({ fromSlot, transactions, accounts, openSlot, rootSlot }) =>
      database.transaction(() => {
        for (const transaction of transactions) {
          const position = positionOf(transaction);
          dropTransaction.run([position]);
          for (const address of transaction.mentions) dropMention.run([key(address), position]);
        }
        setState.run([openSlot, rootSlot]);
        dropBlocks.run([fromSlot]);
        dropUndo.run([fromSlot]);
        saveAccounts(accounts);
      }),
    prune: beforeSlot => {
      pruneBlocks.run([beforeSlot]);
    },
    close: () => database.close(),
  };
}
