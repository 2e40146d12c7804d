import {
  LEDGER_CHECKPOINT_CATEGORY,
  ledgerCheckpointEvents,
} from '../../../contracts/events/ledger-checkpoint';
import { LEDGER_CATEGORIES } from '../../../contracts/events/ledger';
import type { Checkpoint } from '../../../contracts/seal/checkpoint';
import { GrowingSeal, type History } from '../../../contracts/seal/growing-seal';
import { leafDigest, ledgerLine } from '../../../contracts/seal/ledger-line';
import { createCheckpoints } from '../../../services/seal/checkpoints';
import type { LedgerKeys } from '../../../services/seal/keys';
import type { EventStore, RecordedEvent } from '../../../contracts/ports/event-store';

interface Moving {
  readonly from: EventStore;
  readonly to: EventStore;
  readonly instanceId: string;
  readonly keys: LedgerKeys;
  /** RFC 3339 UTC instant with milliseconds. */
  readonly at: string;
}

/**
 * A copied event has another position and time, and so the ledger another head. Signs on the target that what it comes
 * to there is what it came to here, without which the checkpoints that were copied would contradict it. Null when there
 * is no ledger. Done again, it changes nothing.
 */
export async function moveSeal({ from, to, instanceId, keys, at }: Moving): Promise<Checkpoint | null> {
  const there = await historyOf(from);
  if (there.size === 0) return null;
  return createCheckpoints({ store: to, instanceId, keys }).signMoved(await historyOf(to), there, at);
}

/** Whether an event is a checkpoint that was signed because the events had moved. */
export function tellsOfMove(event: RecordedEvent): boolean {
  return (
    event.stream.startsWith(`${LEDGER_CHECKPOINT_CATEGORY}-`) &&
    ledgerCheckpointEvents.read(event).data.moved !== null
  );
}

async function historyOf(store: EventStore): Promise<History> {
  const seal = new GrowingSeal();
  for await (const page of store.readAll({ categories: LEDGER_CATEGORIES }))
    for (const event of page) seal.add(leafDigest(ledgerLine(event)), event.position);
  return seal.now();
}
