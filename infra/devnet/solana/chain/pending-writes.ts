import type { StoredAccount } from '../svm/account';
import type { TouchedAccount } from '../svm/engine';
import type { BlockHeader, LedgerTransaction, LedgerWrite } from './ledger';

/** The chain's group commit: all changes of one turn of the event loop are written together. */
export interface Pending {
  add(
    transaction: LedgerTransaction,
    changed: readonly TouchedAccount[],
    first: readonly TouchedAccount[],
  ): void;
  close(block: BlockHeader): void;
  /** Resolves when all that was added is durable. */
  durable(): Promise<void>;
  /** False when the write fails: everything stays pending, and nothing may be added to a closed block. */
  flush(): boolean;
}

interface Batch {
  transactions: LedgerTransaction[];
  accounts: Map<string, StoredAccount | null>;
  undo: LedgerWrite['undo'][number][];
  block: BlockHeader | null;
}

const emptyBatch = (): Batch => ({ transactions: [], accounts: new Map(), undo: [], block: null });

/** @param onFailure called at the first failed write after a successful one */
export function createPending(write: (batch: Batch) => void, onFailure: (error: unknown) => void): Pending {
  let batch = emptyBatch();
  let waiters: (() => void)[] = [];
  let failing = false;

  const flush = (): boolean => {
    try {
      if (batch.transactions.length > 0 || batch.block) write(batch);
    } catch (error) {
      if (!failing) onFailure(error);
      failing = true;
      return false;
    }
    failing = false;
    const waited = waiters;
    [batch, waiters] = [emptyBatch(), []];
    for (const resolve of waited) resolve();
    return true;
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
      return new Promise(resolve => waiters.push(resolve));
    },
    flush,
  };
}
