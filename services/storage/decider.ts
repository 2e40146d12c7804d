import { refuse, type CommandMetadata } from '../../contracts/decider';
import {
  countedKibibytes,
  storageEntryEvents,
  type StorageEntryEvent,
  type StorageEntryWritten,
} from '../../contracts/events/storage-entry';
import type { CallerPlace } from '../callers/caller-place';
import type { Remove } from '../retention/retention';
import type { StreamKind } from '../commands/stream-kind';

export interface StorageEntry {
  /** Writes so far: 0 before the first. */
  readonly seq: number;
  /** Base64; null before the first write. */
  readonly value: string | null;
  /** Whether the last write was signed. */
  readonly signed: boolean;
  /** Who has begun it, or made it count as more; null where it was not recorded. */
  readonly source: string | null;
}

/** It needs a place to be the first write of its key, and room for what its value counts as more than the one that is stored. */
export interface WriteCommand extends CallerPlace {
  readonly roomKibibytes: number;
  /** The Ed25519 public key, in hex. */
  readonly key: string;
  /** Base64. */
  readonly value: string;
  /** What the writer has read; null writes over whatever is there. */
  readonly seq: number | null;
  /** A verified signature; null without one. */
  readonly signed: StorageEntryWritten['data']['signed'];
  readonly metadata: CommandMetadata;
}

export interface RemoveCommand extends Remove {
  /** As of a write. */
  readonly key: string;
}

const NEVER_WRITTEN: StorageEntry = { seq: 0, value: null, signed: false, source: null };

/** A write succeeds when nobody else has written since the writer read; otherwise it changes nothing. */
export const storageEntryKind: StreamKind<StorageEntry, WriteCommand | RemoveCommand, StorageEntryEvent> = {
  events: storageEntryEvents,
  lastEventIsState: true,
  decider: {
    initial: () => NEVER_WRITTEN,
    evolve(_entry, { type, data }) {
      if (type === 'StorageEntryRemoved') return NEVER_WRITTEN;
      const { seq, value, signed, source } = data;
      return { seq, value, signed: signed !== null, source };
    },
    decide(entry, command) {
      const at = command.metadata.now;
      if ('type' in command)
        return entry.seq > 0 ? [{ type: 'StorageEntryRemoved', data: { key: command.key, at } }] : [];
      const { key, value, seq, signed, hasPlace, roomKibibytes } = command;
      if (entry.signed && !signed)
        return refuse(
          'signature_required',
          'This entry has been written with a signature, so every write needs one.',
        );
      if (seq !== null && seq !== entry.seq) return [];
      const isFirst = entry.seq === 0;
      if (isFirst && !hasPlace)
        return refuse('too_many_storage_keys', 'Keys that exist can be written; no further one can now.');
      const growth = countedKibibytes(value) - (isFirst ? 0 : countedKibibytes(entry.value!));
      if (growth > roomKibibytes)
        return refuse('too_many_storage_bytes', 'There is no room now for a value that is so much larger.');
      const source = growth > 0 ? command.source : entry.source;
      return [{ type: 'StorageEntryWritten', data: { key, seq: entry.seq + 1, value, signed, source, at } }];
    },
  },
};

/**
 * Whether the entry is what this write makes of it: so it has succeeded, now or at a first attempt whose answer was lost. Two
 * writers of the same value have both succeeded.
 */
export function isOutcomeOf(
  { seq, value }: Pick<WriteCommand, 'seq' | 'value'>,
  entry: StorageEntry,
): boolean {
  return entry.value === value && (seq === null || entry.seq === seq + 1);
}
