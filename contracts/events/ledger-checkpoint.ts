import { checkpoint } from '../ledger-tree/checkpoint';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the stream of an instance's checkpoints. They are about the ledger and not part of it. */
export const LEDGER_CHECKPOINT_CATEGORY = 'ledgerCheckpoint';

export function ledgerCheckpointStream(instanceId: string): string {
  return `${LEDGER_CHECKPOINT_CATEGORY}-${instanceId}`;
}

// This type is the storage format.
const signed = eventType({ name: 'CheckpointSigned', schema: checkpoint });

export const ledgerCheckpointEvents = eventFamily(signed);
export type LedgerCheckpointEvent = EventOf<typeof signed>;
