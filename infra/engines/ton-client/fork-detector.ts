/** A block of the masterchain. */
interface Block {
  readonly seqno: number;
  /** Base64. */
  readonly rootHash: string;
}

export interface ForkDetector {
  /** How often blocks that were the newest were replaced: what was read at a block before may not be true of the one that is there now. */
  readonly count: number;
  /** To be called with the newest block before anything is read at blocks. Resolves when it is known whether there was a fork. */
  look(newest: Block): Promise<void>;
}

/**
 * Asks at each new block whether the newest one before is still there: one small call for each block, however much is read.
 * @param rootHashOf the block that the servers have now; where they do not say, it is taken for another one
 */
export function createForkDetector(rootHashOf: (seqno: number) => Promise<string>): ForkDetector {
  let count = 0;
  let newest: Block | null = null;
  let looking: Promise<void> = Promise.resolve();

  const compare = async (block: Block): Promise<void> => {
    const before = newest;
    if (before?.seqno === block.seqno && before.rootHash === block.rootHash) return;
    const isThere = before === null || before.rootHash === (await rootHashOf(before.seqno).catch(() => null));
    if (!isThere) count += 1;
    // A server that is behind the others shows an earlier one.
    if (!isThere || before === null || block.seqno > before.seqno) newest = block;
  };

  return {
    get count() {
      return count;
    },
    look: block => (looking = looking.then(() => compare(block))),
  };
}
