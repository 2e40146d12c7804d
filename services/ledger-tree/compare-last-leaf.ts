import { LEDGER_CATEGORIES } from '../../contracts/events/ledger';
import { eventDigest, ledgerLine } from '../../contracts/ledger-tree/ledger-line';
import type { EventStore } from '../../contracts/ports/event-store';
import type { Position } from '../../contracts/position';
import type { LedgerTreeReader } from './reader';

/**
 * Whether the store has the last event of the ledger tree as it was: two reads, however long the ledger is. A store that has
 * lost events and recorded others since differs here.
 * @returns the position of that event when the store has another one there, or none; else null
 */
export async function differingLastLeaf(
  store: Pick<EventStore, 'readAll'>,
  reader: Pick<LedgerTreeReader, 'lastLeaf'>,
): Promise<Position | null> {
  const leaf = await reader.lastLeaf();
  if (!leaf) return null;
  const next = store.readAll({ after: leaf.before, categories: LEDGER_CATEGORIES, limit: 1 });
  for await (const [event] of next)
    if (event?.position === leaf.position && eventDigest(ledgerLine(event)).equals(leaf.digest)) return null;
  return leaf.position;
}
