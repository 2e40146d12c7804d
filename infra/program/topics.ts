import { SOLANA_DEAD_LETTERS, SOLANA_TRANSACTIONS } from '../../contracts/chain/solana';
import { TON_DEAD_LETTERS, TON_TRANSACTIONS } from '../../contracts/chain/ton';
import { OBSERVATIONS_TOPIC } from '../../indexers/observe';
import type { TopicSpec } from '../../contracts/ports/log';

/** All there are. Whoever starts first makes them: a projection must not depend on an indexer having run before. */
export const TOPICS: readonly TopicSpec[] = [
  TON_TRANSACTIONS,
  TON_DEAD_LETTERS,
  SOLANA_TRANSACTIONS,
  SOLANA_DEAD_LETTERS,
  OBSERVATIONS_TOPIC,
];
