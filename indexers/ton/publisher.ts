import { TON_DEAD_LETTERS, TON_TRANSACTIONS } from '../../contracts/chain/ton';
import { DEAD_REASONS, type DeadReason, type IndexerMetrics } from '../indexer';
import type { Log, NewMessage } from '../../contracts/ports/log';

/** A record for the log; `dead`: why it goes to the dead letters instead. */
export interface Publishable {
  readonly dead: DeadReason | null;
  readonly message: NewMessage;
}

/** Publishes records and dead letters, each in their order. Resolves once they are durable. */
export async function publish(
  log: Log,
  records: readonly Publishable[],
  metrics: IndexerMetrics,
): Promise<void> {
  const decoded = records.filter(({ dead }) => !dead).map(({ message }) => message);
  const dead = records.filter(record => record.dead);
  if (dead.length > 0)
    await log.publish(
      TON_DEAD_LETTERS.name,
      dead.map(({ message }) => message),
    );
  if (decoded.length > 0) await log.publish(TON_TRANSACTIONS.name, decoded);
  metrics.published(decoded.length);
  for (const reason of DEAD_REASONS)
    metrics.deadLettered(dead.filter(record => record.dead === reason).length, reason);
}
