/** Simulates events of real networks, for tests of indexers. */
export interface Simulation {
  /** No blocks until `resume`; messages wait. */
  pause(): void;
  resume(): void;
  /** Produces a block now, paused or not. Resolves with its seqno. */
  produceBlock(): Promise<number>;
  /** Produces a block in which every shard is split, and whose transactions are in shard blocks that are not listed. */
  splitShards(): Promise<number>;
  /** The reverse of a split, also with unlisted shard blocks. */
  mergeShards(): Promise<number>;
  /** Drops every block after `seqno`: the chain continues differently, as after a restored backup. */
  rollbackTo(seqno: number): Promise<void>;
}
