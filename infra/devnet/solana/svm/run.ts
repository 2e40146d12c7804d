import { FailedTransactionMetadata, type TransactionMetadata } from 'litesvm/dist/internal';
import { type TransactionError, transactionError } from './transaction-error';

/** The result of a transaction, successful or not. */
export interface Run {
  readonly err: TransactionError | null;
  readonly logs: readonly string[];
  readonly unitsConsumed: number;
  readonly metadata: TransactionMetadata;
}

export function toRun(outcome: TransactionMetadata | FailedTransactionMetadata): Run {
  const failed = outcome instanceof FailedTransactionMetadata;
  const metadata = failed ? outcome.meta() : outcome;
  return {
    err: failed ? transactionError(outcome) : null,
    logs: metadata.logs(),
    unitsConsumed: Number(metadata.computeUnitsConsumed()),
    metadata,
  };
}
