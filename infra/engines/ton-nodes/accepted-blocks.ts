import { LRUCache } from 'lru-cache';
import { atMost } from '../../../contracts/engine/cache-bounds';
import type { MasterchainBlock } from '../../../contracts/ports/ton-nodes';

/** The block of a node is another than the one accepted: it is on a fork, and nothing that it answers may be used. */
export class ForkedNode extends Error {
  override readonly name = 'ForkedNode';
}

/** The node has none of the accepted blocks yet. */
export class LaggingNode extends Error {
  override readonly name = 'LaggingNode';
}

export interface BlockSource {
  readonly url: string;
  /** Base64; null when the node does not have the block. Rejects when it is of another network. */
  rootHash(seqno: number): Promise<string | null>;
}

export interface AcceptedBlocks<Source extends BlockSource> {
  /**
   * Compares a block of a node with the one accepted, or accepts it. The masterchain is a hash chain: a node that has one
   * accepted block has all before it, so one comparison is enough until the node has failed.
   * @throws ForkedNode, LaggingNode
   */
  admit(source: Source, block: MasterchainBlock): Promise<void>;
  /** The node has failed, and may have been replaced. */
  forget(source: Source): void;
}

const MAX_BLOCKS = 10_000;

/**
 * The blocks of a network by seqno. The first node decides, and where nodes contradict each other more than half of all, or else
 * those that still have the oldest of the blocks: a network with one node follows it wherever it goes.
 * @param onReplaced called when accepted blocks were replaced by others
 */
export function createAcceptedBlocks<Source extends BlockSource>(
  sources: readonly Source[],
  onReplaced: () => void,
): AcceptedBlocks<Source> {
  const hashes = new LRUCache<number, string>(atMost(MAX_BLOCKS));
  const compared = new WeakSet<Source>();
  const votes = new Map<number, Promise<void>>();
  let newest = 0;

  function accept({ seqno, rootHash }: MasterchainBlock): void {
    hashes.set(seqno, rootHash);
    newest = Math.max(newest, seqno);
  }

  function newestUpTo(seqno: number): number | null {
    if (newest <= seqno && hashes.has(newest)) return newest;
    const known = [...hashes.keys()].filter(each => each <= seqno);
    return known.length === 0 ? null : Math.max(...known);
  }

  async function compare(source: Source, upTo: number): Promise<void> {
    const seqno = newestUpTo(upTo);
    const rootHash = seqno === null ? null : await source.rootHash(seqno);
    if (seqno === null || rootHash === null) throw new LaggingNode('it has none of the blocks read before');
    await requireSame(seqno, rootHash);
    compared.add(source);
  }

  async function requireSame(seqno: number, rootHash: string): Promise<void> {
    const known = hashes.get(seqno);
    if (known !== undefined && known !== rootHash) {
      const vote = votes.get(seqno) ?? decide(seqno, known).finally(() => votes.delete(seqno));
      votes.set(seqno, vote);
      await vote;
    }
    if ((hashes.get(seqno) ?? rootHash) !== rootHash)
      throw new ForkedNode(`its block ${seqno} is another than that of the nodes read before`);
  }

  const ask = (seqno: number): Promise<(string | null)[]> =>
    Promise.all(sources.map(source => source.rootHash(seqno).catch(() => null)));

  async function decide(seqno: number, known: string): Promise<void> {
    const found = await ask(seqno);
    const most = found.find(
      hash => hash !== null && 2 * found.filter(each => each === hash).length > sources.length,
    );
    const right = most ?? (await agreedByOthers(seqno, known, found));
    if (!right || right === known) return;
    hashes.clear();
    newest = 0;
    for (const source of sources) compared.delete(source);
    accept({ seqno, rootHash: right });
    onReplaced();
  }

  /** What the other nodes agree on, if those that have the known block no longer have the oldest of the accepted ones. */
  async function agreedByOthers(
    seqno: number,
    known: string,
    found: readonly (string | null)[],
  ): Promise<string | null> {
    const oldest = Math.min(...hashes.keys());
    if (oldest >= seqno || !found.includes(known)) return null;
    const old = await ask(oldest);
    const rightAt = (index: number): boolean => old[index] === hashes.get(oldest);
    if (found.some((hash, index) => hash === known && rightAt(index))) return null;
    const others = new Set(found.filter((hash, index) => hash !== null && rightAt(index)));
    return others.size === 1 ? [...others][0]! : null;
  }

  return {
    async admit(source, block) {
      if (hashes.size === 0) {
        accept(block);
        compared.add(source);
        return;
      }
      if (!hashes.has(block.seqno) && !compared.has(source)) await compare(source, block.seqno);
      await requireSame(block.seqno, block.rootHash);
      compared.add(source);
      accept(block);
    },
    forget: source => void compared.delete(source),
  };
}
