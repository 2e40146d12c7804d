import { PRICES_TOPIC } from '../../../contracts/chain/prices';
import { OBSERVATIONS_TOPIC } from '../../../contracts/observation';
import { SOLANA_TRANSACTIONS } from '../../../contracts/chain/solana';
import { TON_TRANSACTIONS } from '../../../contracts/chain/ton';
import type { Log } from '../../../contracts/ports/log';

/** Declares the topics that projections read, as the indexers of a running program do. */
export function declareTopics(log: Log): Promise<void> {
  return log.declare([TON_TRANSACTIONS, SOLANA_TRANSACTIONS, OBSERVATIONS_TOPIC, PRICES_TOPIC]);
}
