import type { CollectionSpec, Document, Documents } from '../contracts/ports/documents';
import type { RunExclusively } from './lease';

/** A block that the tail cannot read, and why. The height is a masterchain seqno or a slot. */
export interface BlockGap {
  readonly height: number;
  readonly reason: string;
}

/** Progress of an indexer; heights are null while unknown. */
interface IndexerStatus {
  /** Every block up to this height is published. */
  readonly indexedHeight: number | null;
  /** The newest block that the source has. */
  readonly tip: number | null;
  /** `tip` less `indexedHeight`. */
  readonly lag: number | null;
  /** Why `indexedHeight` does not advance; null while it does. */
  readonly gap: BlockGap | null;
}

/** `wrong_hash`: the bytes are not those of the transaction. */
export const DEAD_REASONS = ['undecodable', 'wrong_hash'] as const;
export type DeadReason = (typeof DEAD_REASONS)[number];

/** Counts the records published for one network. */
export interface IndexerMetrics {
  published(count: number): void;
  deadLettered(count: number, reason: DeadReason): void;
}

/** Publishes the transactions of one network to the log. */
export interface Indexer {
  /** Follows the chain until the signal. After an error, also `WrongNetwork`, it continues from the stored cursor. */
  run(signal: AbortSignal): Promise<void>;
  status(): IndexerStatus;
}

/** Whose transactions are published: those of watched accounts, or everybody's (for small networks). */
export type IndexScope = 'watched' | 'all';

/** Runs without a lease: for the only process of a deployment. */
export const withoutLease: RunExclusively = (_name, run, signal) => run(signal);

export function indexerStatus(
  indexedHeight: number | null,
  tip: number | null,
  gap: BlockGap | null,
): IndexerStatus {
  const lag = tip === null || indexedHeight === null ? null : Math.max(tip - indexedHeight, 0);
  return { indexedHeight, tip, lag, gap };
}

/** The status, stored in the document of the cursor for programs that do not run the indexer. */
export type StatusFields = {
  readonly indexedHeight: number;
  readonly tip: number | null;
  readonly gap: { height: number; reason: string } | null;
};

/** The stored status of the indexer of one network. */
export interface StoredIndexerStatus {
  /** Such as `ton mainnet`. */
  readonly indexer: string;
  readonly indexedHeight: number;
  readonly tip: number | null;
  /** Such as `17: the source does not have it`. */
  readonly gap: string | null;
}

/** State of the indexers of a chain that can be restored neither from events nor from the log. */
export interface IndexerState {
  readonly collections: readonly CollectionSpec[];
  /** Names of the checkpoints that go with the collections. */
  readonly checkpoints: readonly string[];
  /** One entry for each network that was ever indexed. */
  status(documents: Documents): Promise<readonly StoredIndexerStatus[]>;
}

/** Reads the status of each network from the collection that holds the cursors, one document a network. */
export async function storedStatuses(
  documents: Documents,
  cursors: CollectionSpec,
  chain: string,
  networks: readonly string[],
): Promise<StoredIndexerStatus[]> {
  await documents.declare([cursors]);
  const stored = await Promise.all(
    networks.map(network => documents.get<Document & StatusFields>(cursors.name, network)),
  );
  return stored
    .filter(document => document !== null)
    .map(({ _id: network, indexedHeight, tip, gap }) => ({
      indexer: `${chain} ${network}`,
      indexedHeight,
      tip,
      gap: gap && `${gap.height}: ${gap.reason}`,
    }));
}
