import type { SolanaNetwork } from '../../contracts/network';

/** Where an indexer stands; slots, null while unknown. */
export interface SolanaIndexerStatus {
  readonly network: SolanaNetwork;
  /** The newest confirmed slot that the source told of. */
  readonly tip: number | null;
  /** The last slot that is published with everything before it. */
  readonly frontier: number | null;
  readonly finalized: number | null;
  /** `tip` less `frontier`, in slots. */
  readonly lag: number | null;
  /** What keeps the frontier where it is; null while it moves. */
  readonly hole: { readonly slot: number; readonly reason: string } | null;
}

/** Called as things happen, for metrics. */
export interface SolanaIndexerHooks {
  published?(messages: number): void;
  deadLettered?(transactions: number): void;
  rolledBack?(slot: number): void;
  /** The source failed or a hole opened. */
  failed?(error: unknown): void;
}
