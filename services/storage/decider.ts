import { refuse, type CommandMetadata } from '../../contracts/decider';
import { storageEntryEvents, type StorageEntryWritten } from '../../contracts/events/storage-entry';
import type { StreamKind } from '../handle';

export interface StorageEntry {
  /** Writes so far: 0 before the first. */
  readonly seq: number;
  /** Base64; null before the first write. */
  readonly value: string | null;
  /** Whether the last write was signed. */
  readonly signed: boolean;
}

export interface WriteCommand {
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

/** A write succeeds when nobody else has written since the writer read; otherwise it changes nothing. */
export const storageEntryKind: StreamKind<StorageEntry, WriteCommand, StorageEntryWritten> = {
  events: storageEntryEvents,
  lastEventIsState: true,
  decider: {
    initial: () => ({ seq: 0, value: null, signed: false }),
    evolve: (_entry, { data: { seq, value, signed } }) => ({ seq, value, signed: signed !== null }),
    decide(entry, { key, value, seq, signed, metadata: { now: at } }) {
      if (entry.signed && !signed)
        return refuse(
          'signature_required',
          'This entry has been written with a signature, so every write needs one.',
        );
      if (seq !== null && seq !== entry.seq) return [];
      return [{ type: 'StorageEntryWritten', data: { key, seq: entry.seq + 1, value, signed, at } }];
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
