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

/** All anchors of an instance, of whichever wallet and network, in the order in which they were recorded. */
export async function* recordedAnchors(store: Pick<EventStore, 'readAll'>): AsyncGenerator<RecordedAnchor> {
  for await (const page of store.readAll({ categories: [LEDGER_ANCHOR_CATEGORY] }))
    for (const recorded of page) {
      const event = ledgerAnchorEvents.read(recorded);
      if (event.type === 'LedgerHeadAnchored') yield { anchor: anchorOf(event.data), at: event.data.at };
    }
}

function anchorOf({ network, checkpoint, transaction, proof }: LedgerHeadAnchored['data']): Anchor {
  return { version: 1, network, checkpoint, transaction, proof };
}
