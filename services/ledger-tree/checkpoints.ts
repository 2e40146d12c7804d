import {
  ledgerCheckpointEvents,
  ledgerCheckpointStream,
  type LedgerCheckpointEvent,
} from '../../contracts/events/ledger-checkpoint';
import { eventId } from '../../contracts/events/event-id';
import type { Position } from '../../contracts/position';
import { checkpointStatement, type Checkpoint } from '../../contracts/ledger-tree/checkpoint';
import { sameTreeHead, type TreeHead } from '../../contracts/ledger-tree/tree-head';
import {
  WrongExpectedRevision,
  type EventStore,
  type RecordedEvent,
} from '../../contracts/ports/event-store';
import type { LedgerKeys } from './keys';

/**
 * The signed checkpoints of an instance, in a stream of their own: each is durable before it is returned. Those from
 * before a migration to this store are of other positions and are skipped.
 */
export interface Checkpoints {
  /** The last one; null before the first. */
  latest(): Promise<Checkpoint | null>;
  /** The last one whose position is not after the given one. */
  upTo(position: Position): Promise<Checkpoint | null>;
  all(): AsyncIterable<Checkpoint>;
  /** Signs a tree head. Returns the last checkpoint when that is already of as many events. */
  sign(head: TreeHead, at: string): Promise<Checkpoint>;
  /** Signs the tree head of events that were copied from a store where their tree head was `from`. */
  signMigrated(head: TreeHead, from: TreeHead, at: string): Promise<Checkpoint>;
}

interface CheckpointDeps {
  readonly store: Pick<EventStore, 'append' | 'readStream'>;
  readonly instanceId: string;
  readonly keys: Pick<LedgerKeys, 'signer'>;
}

export function createCheckpoints({ store, instanceId, keys }: CheckpointDeps): Checkpoints {
  const stream = ledgerCheckpointStream(instanceId);

  const findLast = async (
    predicate: (checkpoint: Checkpoint) => boolean,
  ): Promise<{ readonly checkpoint: Checkpoint; readonly revision: number } | null> => {
    for await (const event of store.readStream(stream, { direction: 'backwards' })) {
      const checkpoint = checkpointOf(event);
      if (predicate(checkpoint)) return { checkpoint, revision: event.revision };
      if (checkpoint.migratedFrom) return null;
    }
    return null;
  };
  const last = () => findLast(() => true);

  const append = async (
    head: TreeHead,
    at: string,
    migratedFrom: TreeHead | null,
    revision: number | null,
  ): Promise<Checkpoint> => {
    const { keyId, sign } = keys.signer();
    const unsigned = { version: 1 as const, instance: instanceId, ...head, at, migratedFrom, keyId };
    const checkpoint: Checkpoint = { ...unsigned, signature: sign(checkpointStatement(unsigned)) };
    const event: LedgerCheckpointEvent = { type: 'CheckpointSigned', data: checkpoint };
    const id = eventId(checkpoint.signature, stream, 0);
    await store.append(stream, revision ?? 'no_stream', [ledgerCheckpointEvents.write(event, id, {})]);
    return checkpoint;
  };

  return {
    latest: async () => (await last())?.checkpoint ?? null,
    upTo: async position =>
      (await findLast(checkpoint => checkpoint.position <= position))?.checkpoint ?? null,

    async *all() {
      const migration = await findLast(checkpoint => checkpoint.migratedFrom !== null);
      for await (const event of store.readStream(stream, { from: migration?.revision ?? 0 }))
        yield checkpointOf(event);
    },

    async signMigrated(head, from, at) {
      const before = await last();
      if (before?.checkpoint.migratedFrom && sameTreeHead(before.checkpoint.migratedFrom, from))
        return before.checkpoint;
      return append(head, at, from, before?.revision ?? null);
    },

    async sign(head, at) {
      for (;;) {
        const before = await last();
        if (before && before.checkpoint.size >= head.size) return before.checkpoint;
        try {
          return await append(head, at, null, before?.revision ?? null);
        } catch (error) {
          if (!(error instanceof WrongExpectedRevision)) throw error;
        }
      }
    },
  };
}

const checkpointOf = (event: RecordedEvent): Checkpoint => ledgerCheckpointEvents.read(event).data;
