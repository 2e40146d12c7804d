import type { CollectionSpec, Document, Documents } from '../contracts/ports/documents';
import type { Exclusively } from './lease';

/** A block that the tail cannot read, and why. The height is a masterchain seqno or a slot. */
export interface BlockGap {
  readonly height: number;
  readonly reason: string;
}

/** How far an indexer has come; heights are null while unknown. */
interface IndexerStatus {
  /** Every block up to this height is published. */
  readonly indexedHeight: number | null;
  /** The newest block that the source has. */
  readonly tip: number | null;
  /** `tip` less `indexedHeight`. */
  readonly lag: number | null;
  /** What keeps `indexedHeight` where it is; null while it advances. */
  readonly gap: BlockGap | null;
}

/** Counts what goes onto the log of one network. */
export interface IndexerMetrics {
  published(count: number): void;
  deadLettered(count: number): void;
}

/** Follows one network onto the log. */
export interface Indexer {
  /**
   * Follows the chain until the signal. What fails is tried again from the stored cursor.
   * @throws WrongNetwork when the source serves another chain than the one indexed so far
   */
  run(signal: AbortSignal): Promise<void>;
  status(): IndexerStatus;
}

/** Whose transactions are published: those of watched accounts, or everybody's (for small networks). */
export type IndexScope = 'watched' | 'all';

/** For a process that is the only one: runs at once, without a lease. */
export const unleased: Exclusively = (_name, run, signal) => run(signal);

export function indexerStatus(
  indexedHeight: number | null,
  tip: number | null,
  gap: BlockGap | null,
): IndexerStatus {
  const lag = tip === null || indexedHeight === null ? null : Math.max(tip - indexedHeight, 0);
  return { indexedHeight, tip, lag, gap };
}

/** The status as a cursor is stored with it, for programs that do not run the indexer. */
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

/** What the indexers of a chain have stored and neither events nor the log could restore. */
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
