import {
  ledgerCheckpointEvents,
  ledgerCheckpointStream,
  type LedgerCheckpointEvent,
} from '../../contracts/events/ledger-checkpoint';
import { eventId } from '../../contracts/events/event-id';
import type { Position } from '../../contracts/position';
import { checkpointStatement, type Checkpoint } from '../../contracts/seal/checkpoint';
import { sameHistory, type History } from '../../contracts/seal/growing-seal';
import {
  WrongExpectedRevision,
  type EventStore,
  type RecordedEvent,
} from '../../contracts/ports/event-store';
import type { LedgerKeys } from './keys';

/**
 * The signed checkpoints of an instance, in a stream of their own: none is told before it is durable. Those from before
 * the events were moved to this store speak of another history, and are passed over.
 */
export interface Checkpoints {
  /** The last one; null before the first. */
  latest(): Promise<Checkpoint | null>;
  /** The last one that speaks of no event beyond the position. */
  upTo(position: Position): Promise<Checkpoint | null>;
  all(): AsyncIterable<Checkpoint>;
  /** Signs what the ledger comes to. When another program signed as much meanwhile, answers with that one. */
  sign(history: History, at: string): Promise<Checkpoint>;
  /** Signs what the ledger comes to here, now that its events were moved from where they came to something else. */
  signMoved(history: History, from: History, at: string): Promise<Checkpoint>;
}

interface CheckpointDeps {
  readonly store: Pick<EventStore, 'append' | 'readStream'>;
  readonly instanceId: string;
  readonly keys: Pick<LedgerKeys, 'signer'>;
}

export function createCheckpoints({ store, instanceId, keys }: CheckpointDeps): Checkpoints {
  const stream = ledgerCheckpointStream(instanceId);

  const lastThat = async (
    wanted: (checkpoint: Checkpoint) => boolean,
  ): Promise<{ readonly checkpoint: Checkpoint; readonly revision: number } | null> => {
    for await (const event of store.readStream(stream, { direction: 'backwards' })) {
      const checkpoint = checkpointOf(event);
      if (wanted(checkpoint)) return { checkpoint, revision: event.revision };
      if (checkpoint.moved) return null;
    }
    return null;
  };
  const last = () => lastThat(() => true);

  const append = async (
    history: History,
    at: string,
    moved: History | null,
    revision: number | null,
  ): Promise<Checkpoint> => {
    const { keyId, sign } = keys.signer();
    const said = { version: 1 as const, instance: instanceId, ...history, at, moved, keyId };
    const checkpoint: Checkpoint = { ...said, signature: sign(checkpointStatement(said)) };
    const event: LedgerCheckpointEvent = { type: 'CheckpointSigned', data: checkpoint };
    const id = eventId(checkpoint.signature, stream, 0);
    await store.append(stream, revision ?? 'no_stream', [ledgerCheckpointEvents.write(event, id, {})]);
    return checkpoint;
  };

  return {
    latest: async () => (await last())?.checkpoint ?? null,
    upTo: async position =>
      (await lastThat(checkpoint => checkpoint.position <= position))?.checkpoint ?? null,

    async *all() {
      const moved = await lastThat(checkpoint => checkpoint.moved !== null);
      for await (const event of store.readStream(stream, { from: moved?.revision ?? 0 }))
        yield checkpointOf(event);
    },

    async signMoved(history, from, at) {
      const before = await last();
      if (before?.checkpoint.moved && sameHistory(before.checkpoint.moved, from)) return before.checkpoint;
      return append(history, at, from, before?.revision ?? null);
    },

    async sign(history, at) {
      for (;;) {
        const before = await last();
        if (before && before.checkpoint.size >= history.size) return before.checkpoint;
        try {
          return await append(history, at, null, before?.revision ?? null);
        } catch (error) {
          if (!(error instanceof WrongExpectedRevision)) throw error;
        }
      }
    },
  };
}

const checkpointOf = (event: RecordedEvent): Checkpoint => ledgerCheckpointEvents.read(event).data;
