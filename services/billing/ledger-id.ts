import { LEDGER_CATEGORIES } from '../../contracts/events/ledger';
import { eventDigest, ledgerLine } from '../../contracts/ledger-tree/ledger-line';
import type { EventStore } from '../../contracts/ports/event-store';

type Store = Pick<EventStore, 'readAll'>;

/** The first event of a store never changes: it is read once. */
const known = new WeakMap<Store, string>();

/**
 * Identifies the ledger of an event store: the beginning of the digest of its first event. A migration copies the events of a
 * ledger to other positions and times, and so into another ledger. Null before the first event.
 */
export async function ledgerIdOf(store: Store): Promise<string | null> {
  const cached = known.get(store);
  if (cached !== undefined) return cached;
  for await (const [first] of store.readAll({ categories: LEDGER_CATEGORIES, limit: 1 }))
    if (first) {
      const id = eventDigest(ledgerLine(first)).toString('hex').slice(0, 16);
      known.set(store, id);
      return id;
    }
  return null;
}
