import type { StoredAccount } from '../svm/account';
import type { TouchedAccount } from '../svm/engine';
import type { BlockHeader, LedgerTransaction, LedgerWrite } from './ledger';

/** The chain's group commit: what happens in one turn of the event loop is written down together. */
export interface Pending {
  add(
    transaction: LedgerTransaction,
    changed: readonly TouchedAccount[],
    first: readonly TouchedAccount[],
  ): void;
  close(block: BlockHeader): void;
  /** Settles when all that was added is durable. */
  durable(): Promise<void>;
  flush(): void;
}

interface Batch {
  transactions: LedgerTransaction[];
  accounts: Map<string, StoredAccount | null>;
  undo: LedgerWrite['undo'][number][];
  block: BlockHeader | null;
}

const emptyBatch = (): Batch => ({ transactions: [], accounts: new Map(), undo: [], block: null });

/** @param fail told when the disk refuses: the chain in memory is then ahead of it and must not go on */
export const createPending = (write: (batch: Batch) => void, fail: (error: unknown) => void): Pending => {
  let batch = emptyBatch();
  let waiters: { resolve(): void; reject(error: unknown): void }[] = [];

  const flush = (): void => {
    const [taken, waited] = [batch, waiters];
    [batch, waiters] = [emptyBatch(), []];
    try {
      if (taken.transactions.length > 0 || taken.block) write(taken);
      for (const { resolve } of waited) resolve();
    } catch (error) {
      for (const { reject } of waited) reject(error);
      fail(error);
    }
  };

  return {
    add: (transaction, changed, first) => {
      batch.transactions.push(transaction);
      for (const { address, after } of changed) batch.accounts.set(address, after);
      for (const { address, before } of first) batch.undo.push({ slot: transaction.slot, address, before });
    },
    close: block => {
      batch.block = block;
    },
    durable: () => {
      if (waiters.length === 0) setImmediate(flush);
      return new Promise((resolve, reject) => waiters.push({ resolve, reject }));
    },
    flush,
  };
};
