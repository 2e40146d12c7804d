import { TON_DEAD_LETTERS, TON_TRANSACTIONS } from '../../contracts/chain/ton';
import type { Log } from '../../contracts/ports/log';
import type { Letter } from './letters';

/** Counts for the metrics of one network. */
export interface TonIndexerMetrics {
  published(transactions: number): void;
  deadLetters(letters: number): void;
}

/** Puts letters on the log, each kind in its order. Resolves once they are durable. */
export async function post(log: Log, letters: readonly Letter[], metrics: TonIndexerMetrics): Promise<void> {
  const dead = letters.filter(letter => letter.dead);
  const alive = letters.filter(letter => !letter.dead);
  if (dead.length > 0)
    await log.publish(
      TON_DEAD_LETTERS.name,
      dead.map(letter => letter.message),
    );
  if (alive.length > 0)
    await log.publish(
      TON_TRANSACTIONS.name,
      alive.map(letter => letter.message),
    );
  metrics.published(alive.length);
  metrics.deadLetters(dead.length);
}
