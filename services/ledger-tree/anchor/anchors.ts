import {
  LEDGER_ANCHOR_CATEGORY,
  ledgerAnchorEvents,
  type LedgerHeadAnchored,
} from '../../../contracts/events/ledger-anchor';
import type { Anchor } from '../../../contracts/ledger-tree/anchor';
import type { EventStore } from '../../../contracts/ports/event-store';

/** An anchor as it was recorded, and when. */
export interface RecordedAnchor {
  readonly anchor: Anchor;
  /** RFC 3339 UTC instant with milliseconds. */
  readonly at: string;
}

/**
 * All anchors of an instance, of whichever wallet and network, in the order in which they were recorded: one that was proven further
 * later, as it was recorded last.
 */
export async function* recordedAnchors(store: Pick<EventStore, 'readAll'>): AsyncGenerator<RecordedAnchor> {
  let last = null as RecordedAnchor | null;
  for await (const page of store.readAll({ categories: [LEDGER_ANCHOR_CATEGORY] }))
    for (const recorded of page) {
      const event = ledgerAnchorEvents.read(recorded);
      if (event.type !== 'LedgerHeadAnchored') continue;
      const anchor = anchorOf(event.data);
      const same: RecordedAnchor | null =
        last?.anchor.transaction.hash === anchor.transaction.hash ? last : null;
      if (last && !same) yield last;
      last = { anchor, at: same?.at ?? event.data.at };
    }
  if (last) yield last;
}

function anchorOf({ network, checkpoint, transaction, proof }: LedgerHeadAnchored['data']): Anchor {
  return { version: 1, network, checkpoint, transaction, proof };
}
