import {
  LEDGER_ANCHOR_CATEGORY,
  type LedgerAnchorEvent,
  ledgerAnchorEvents,
  ledgerAnchorStream,
  type LedgerHeadAnchored,
} from '../../../contracts/events/ledger-anchor';
import { type Anchor, type AnchorProof, reaches } from '../../../contracts/ledger-tree/anchor';
import type { TonNetwork } from '../../../contracts/network/network';
import type { EventStore, RecordedEvent } from '../../../contracts/ports/event-store';

type Anchored = LedgerHeadAnchored['data'];

/** An anchor as it was recorded, with the proof that reaches furthest. */
export interface RecordedAnchor extends Pick<Anchored, 'count' | 'seqno'> {
  readonly anchor: Anchor;
  /** When it was seen on the chain: RFC 3339 UTC instant with milliseconds. */
  readonly at: string;
  /** A fork has taken it back: nobody finds its transaction on the chain. */
  readonly isTakenBack: boolean;
}

/** All anchors of an instance, of whichever wallet and network, each once: the one that was signed last is the first. */
export async function* recordedAnchors(store: Pick<EventStore, 'readAll'>): AsyncGenerator<RecordedAnchor> {
  const wallets = new Map<string, EarlierEvents>();
  for await (const page of store.readAll({ categories: [LEDGER_ANCHOR_CATEGORY], direction: 'backwards' }))
    for (const recorded of page) {
      const wallet = wallets.get(recorded.stream) ?? readingBackwards();
      wallets.set(recorded.stream, wallet);
      const found = wallet(recorded);
      if (found) yield found;
    }
}

/** Those of one wallet (raw), which its stream alone has. */
export async function* anchorsOfWallet(
  store: Pick<EventStore, 'readStream'>,
  network: TonNetwork,
  account: string,
): AsyncGenerator<RecordedAnchor> {
  const wallet = readingBackwards();
  for await (const recorded of store.readStream(ledgerAnchorStream(network, account), {
    direction: 'backwards',
  })) {
    const found = wallet(recorded);
    if (found) yield found;
  }
}

/** Takes the events of one wallet, the last one first; an anchor is complete when it was signed. */
type EarlierEvents = (recorded: RecordedEvent) => RecordedAnchor | null;

function readingBackwards(): EarlierEvents {
  const proofs = new Map<number, AnchorProof>();
  let anchored: Anchored | null = null;
  let isDropped = false;
  // A wallet uses each seqno once: what had it, or a higher one, before was taken back.
  let lowestLater = Infinity;

  function learn(count: number, proof: AnchorProof): void {
    const known = proofs.get(count);
    if (!known || !reaches(known, proof.level)) proofs.set(count, proof);
  }

  function complete(): RecordedAnchor | null {
    if (!anchored) return null;
    const { network, count, seqno, checkpoint, transaction, at } = anchored;
    const proof = proofs.get(count)!;
    const isTakenBack = isDropped || seqno >= lowestLater;
    lowestLater = Math.min(lowestLater, seqno);
    return { anchor: { version: 1, network, checkpoint, transaction, proof }, count, seqno, at, isTakenBack };
  }

  return recorded => {
    const { type, data } = ledgerAnchorEvents.read(recorded) as LedgerAnchorEvent;
    if (type === 'LedgerAnchorFailed') isDropped = data.reason === 'dropped';
    if (type === 'LedgerAnchorProven') learn(data.count, data.proof);
    if (type === 'LedgerHeadAnchored') {
      learn(data.count, data.proof);
      anchored = data;
    }
    if (type !== 'LedgerAnchorSigned') return null;
    const found = complete();
    proofs.delete(data.count);
    anchored = null;
    isDropped = false;
    return found;
  };
}
