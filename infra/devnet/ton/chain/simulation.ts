/** Things that happen to real networks, made to happen: for tests of whatever follows the chain. */
export interface Simulation {
  /** No blocks until `resume`; messages wait. */
  pause(): void;
  resume(): void;
  /** Makes a block now, paused or not. Resolves with its seqno. */
  produceBlock(): Promise<number>;
  /** Makes a block in which every shard becomes two, and whose transactions are in shard blocks that are not listed. */
  splitShards(): Promise<number>;
  /** The reverse of a split, with the same loss. */
  mergeShards(): Promise<number>;
  /** Forgets every block after `seqno`: the chain goes on differently, as after a restored backup. */
  rollbackTo(seqno: number): Promise<void>;
}
