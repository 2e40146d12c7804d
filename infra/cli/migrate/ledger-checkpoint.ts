import {
  LEDGER_CHECKPOINT_CATEGORY,
  ledgerCheckpointEvents,
} from '../../../contracts/events/ledger-checkpoint';
import { LEDGER_CATEGORIES } from '../../../contracts/events/ledger';
import type { Checkpoint } from '../../../contracts/ledger-tree/checkpoint';
import { LedgerTree, type TreeHead } from '../../../contracts/ledger-tree/tree-head';
import { eventDigest, ledgerLine } from '../../../contracts/ledger-tree/ledger-line';
import { createCheckpoints } from '../../../services/ledger-tree/checkpoints';
import type { LedgerKeys } from '../../../services/ledger-tree/keys';
import type { EventStore, RecordedEvent } from '../../../contracts/ports/event-store';

interface LedgerMigration {
  readonly from: EventStore;
  readonly to: EventStore;
  readonly instanceId: string;
  readonly keys: LedgerKeys;
  /** RFC 3339 UTC instant with milliseconds. */
  readonly at: string;
}

/**
 * A copied event has another position and time, and so the ledger another head. Signs on the target that its head stands
 * for the head at the source; without that, the copied checkpoints would contradict it. Idempotent.
 * @returns null when there is no ledger
 */
export async function signMigratedCheckpoint({
  from,
  to,
  instanceId,
  keys,
  at,
}: LedgerMigration): Promise<Checkpoint | null> {
  const source = await treeHeadOf(from);
  if (source.size === 0) return null;
  return createCheckpoints({ store: to, instanceId, keys }).signMigrated(await treeHeadOf(to), source, at);
}

/** Whether an event is a checkpoint that a migration has signed. */
export function isMigrationCheckpoint(event: RecordedEvent): boolean {
  return (
    event.stream.startsWith(`${LEDGER_CHECKPOINT_CATEGORY}-`) &&
    ledgerCheckpointEvents.read(event).data.migratedFrom !== null
  );
}

async function treeHeadOf(store: EventStore): Promise<TreeHead> {
  const tree = new LedgerTree();
  for await (const page of store.readAll({ categories: LEDGER_CATEGORIES }))
    for (const event of page) tree.append(eventDigest(ledgerLine(event)), event.position);
  return tree.head();
}
