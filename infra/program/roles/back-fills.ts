import { WATCH_CATEGORY } from '../../../contracts/events/watch';
import { SOLANA_NETWORKS } from '../../../contracts/network';
import { backfillJob as solanaBackfillJob } from '../../../indexers/solana/backfill/worker';
import { loadFrontier, tipOf } from '../../../indexers/solana/frontier';
import { watchedAccount } from '../../../indexers/solana/watch-set';
import { tonBackfillReaction } from '../../../indexers/ton/backfill-job';
import type { Engines } from '../../engines/engines';
import type { NewJob } from '../../../contracts/ports/jobs';

/** The first job of the history of every watched account. That of a complete one ends at once. */
export async function* backFills({ store, documents }: Engines): AsyncIterable<NewJob> {
  const frontiers = await Promise.all(
    SOLANA_NETWORKS.map(async network => ({ network, frontier: await loadFrontier(documents, network) })),
  );
  for await (const page of store.readAll({ categories: [WATCH_CATEGORY] }))
    for (const event of page) {
      yield* tonBackfillReaction.jobs(event);
      for (const { network, frontier } of frontiers) {
        const address = watchedAccount(event, network);
        // Without a frontier the tail has yet to begin, and asks itself for the accounts that it takes up.
        if (address && frontier) yield solanaBackfillJob(network, address, tipOf(frontier).slot);
      }
    }
}
