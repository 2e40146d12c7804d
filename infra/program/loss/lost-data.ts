import { EngineBehind, type SourceEngine } from '../../../contracts/engine/engine-unavailable';
import type { StoredProgress } from '../../../contracts/engine/stored-progress';
import { differingLastLeaf } from '../../../services/ledger-tree/compare-last-leaf';
import { createLedgerTreeReader } from '../../../services/ledger-tree/reader';
import type { Engines } from '../../engines/engines';

/** What an operator can do about it; `infra/deploy/backup.md` explains each. */
const REMEDIES =
  'nothing is written and no proof is signed until it is fixed: stop all programs, look with `tidemark verify`, then restore a backup that is at least as new as the documents, or give up what is lost with `tidemark rebuild --all --accept-loss`';

/**
 * Compares what readers of the event store and the log have stored of their progress with the end of both, and the last event
 * of the ledger tree with the store. Nothing is found on engines that have all that was ever read.
 * @param readers of whom else than the ledger tree
 */
export function createLossDetector(
  { store, log, documents }: Pick<Engines, 'store' | 'log' | 'documents'>,
  readers: () => Promise<readonly StoredProgress[]> = async () => [],
): () => Promise<EngineBehind | null> {
  const tree = createLedgerTreeReader(documents);

  return async () => {
    // Before the ends, which only grow: what is read meanwhile is no loss.
    const progress = [
      ...(await readers()),
      { reader: 'the ledger tree', partition: null, seen: await tree.includedUpTo() },
    ];
    const ofEvents = progress.filter(({ partition }) => partition === null);
    const end = await store.end();
    const beyond = furthest(ofEvents, end);
    if (beyond) return found('event store', `it ends at position ${end}, and ${beyond}`);
    const differing = await differingLastLeaf(store, tree);
    if (differing !== null)
      return found(
        'event store',
        `the last event in the ledger tree is not the one at position ${differing}`,
      );
    for (const [topic, ofTopic] of byTopic(progress))
      for (const [partition, next] of (await log.endOffsets(topic)).entries()) {
        const last = next - 1;
        const ofPartition = ofTopic.filter(each => each.partition?.partition === partition);
        const reached = furthest(ofPartition, last);
        if (reached) return found('log', `${topic}/${partition} ends at offset ${last}, and ${reached}`);
      }
    return null;
  };
}

function furthest(progress: readonly StoredProgress[], end: number): string | null {
  const [first] = progress.filter(({ seen }) => seen > end).sort((a, b) => b.seen - a.seen);
  return first ? `${first.reader} has read up to ${first.seen}` : null;
}

const found = (engine: SourceEngine, what: string): EngineBehind =>
  new EngineBehind(engine, `it has lost data: ${what}; ${REMEDIES}`);

function byTopic(progress: readonly StoredProgress[]): Map<string, StoredProgress[]> {
  const topics = new Map<string, StoredProgress[]>();
  for (const each of progress) {
    if (!each.partition) continue;
    const { topic } = each.partition;
    topics.set(topic, [...(topics.get(topic) ?? []), each]);
  }
  return topics;
}

/** For commands: compares with the ledger tree alone. @throws EngineBehind */
export async function assertLedgerComplete(
  engines: Pick<Engines, 'store' | 'log' | 'documents'>,
): Promise<void> {
  const behind = await createLossDetector(engines)();
  if (behind) throw behind;
}
