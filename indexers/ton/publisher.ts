import { TON_DEAD_LETTERS, TON_TRANSACTIONS } from '../../contracts/chain/ton';
import type { IndexerMetrics } from '../indexer';
import type { Log, NewMessage } from '../../contracts/ports/log';

/** A record for the log; `dead` when it goes to the dead letters. */
export interface Publishable {
  readonly dead: boolean;
  readonly message: NewMessage;
}

/** Publishes records and dead letters, each in their order. Resolves once they are durable. */
export async function publish(
  log: Log,
  records: readonly Publishable[],
  metrics: IndexerMetrics,
): Promise<void> {
  const decoded = records.filter(({ dead }) => !dead).map(({ message }) => message);
  const dead = records.filter(record => record.dead).map(({ message }) => message);
  if (dead.length > 0) await log.publish(TON_DEAD_LETTERS.name, dead);
  if (decoded.length > 0) await log.publish(TON_TRANSACTIONS.name, decoded);
  metrics.published(decoded.length);
  metrics.deadLettered(dead.length);
}
