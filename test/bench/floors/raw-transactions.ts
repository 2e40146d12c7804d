// The floor is the bare driver, without our wrapper.
import Libsql from 'libsql';

interface Transaction {
  readonly account: string;
  readonly lt: string;
}

/** Transactions as rows of one table, indexed by account and time, a durable commit for each call. */
export function openRawTransactions(path: string) {
  const database = new Libsql(path);
  database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL');
  database.exec('PRAGMA wal_autocheckpoint=16384; PRAGMA cache_size=-65536');
  database.exec(`
    CREATE TABLE transactions (id TEXT PRIMARY KEY, account TEXT, lt INTEGER, body TEXT NOT NULL) WITHOUT ROWID;
    CREATE INDEX transactions_by_time ON transactions (account, lt);
  `);
  const put = database.prepare('INSERT OR REPLACE INTO transactions VALUES (?, ?, ?, ?)');
  return {
    commit(transactions: readonly Transaction[]): void {
      database.exec('BEGIN IMMEDIATE');
      for (const transaction of transactions) {
        const { account, lt } = transaction;
        put.run([`${account}/${lt}`, account, lt, JSON.stringify(transaction)]);
      }
      database.exec('COMMIT');
    },
    close: () => database.close(),
  };
}
