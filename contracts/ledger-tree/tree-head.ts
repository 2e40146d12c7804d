import { BEGINNING, type Position } from '../position';
import { HashChain } from './hash-chain';
import { MerkleTree } from './merkle-tree';

/** The ledger after some event: the number of events, the position of the last, the head of the hash chain and the Merkle root (hex). */
export interface TreeHead {
  readonly size: number;
  readonly position: Position;
  readonly head: string;
  readonly root: string;
}

/** Hash chain and Merkle tree of a ledger that is read from its first event on. */
export class LedgerTree {
  readonly #chain = new HashChain();
  readonly #tree = new MerkleTree();
  #position = BEGINNING;

  append(digest: Buffer, position: Position): void {
    this.#chain.append(digest);
    this.#tree.append(digest);
    this.#position = position;
  }

  get size(): number {
    return this.#tree.size;
  }

  head(): TreeHead {
    return {
      size: this.size,
      position: this.#position,
      head: this.#chain.head.toString('hex'),
      root: this.#tree.root().toString('hex'),
    };
  }
}

/** Whether both commit to the same events. */
export function sameTreeHead(one: TreeHead, other: TreeHead): boolean {
  return one.size === other.size && one.head === other.head && one.root === other.root;
}
