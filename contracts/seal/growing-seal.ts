import { BEGINNING, type Position } from '../position';
import { Chain } from './chain';
import { GrowingTree } from './merkle';

/** What a history comes to at one place: how many events, where the last of them stands, chain and tree in hex. */
export interface History {
  readonly size: number;
  readonly position: Position;
  readonly head: string;
  readonly root: string;
}

/** Chain and tree of a history that is read from its beginning. */
export class GrowingSeal {
  readonly #chain = new Chain();
  readonly #tree = new GrowingTree();
  #position = BEGINNING;

  add(digest: Buffer, position: Position): void {
    this.#chain.add(digest);
    this.#tree.add(digest);
    this.#position = position;
  }

  get size(): number {
    return this.#tree.size;
  }

  now(): History {
    return {
      size: this.size,
      position: this.#position,
      head: this.#chain.head.toString('hex'),
      root: this.#tree.root().toString('hex'),
    };
  }
}

/** Whether two are told of the same events. */
export function sameHistory(one: History, other: History): boolean {
  return one.size === other.size && one.head === other.head && one.root === other.root;
}
