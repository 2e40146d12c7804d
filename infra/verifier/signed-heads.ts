import { LedgerTree, sameTreeHead, type TreeHead } from '../../contracts/ledger-tree/tree-head';
import { BEGINNING, type Position } from '../../contracts/position';
import { counted } from '../../contracts/text/counted';

/** A signed tree head, and the name of the document that holds it. */
export interface SignedHead {
  readonly name: string;
  readonly head: TreeHead;
}

/** The first signed head that the events do not match, and the last one that they match; null when they match none. */
export interface Mismatch {
  readonly signed: SignedHead;
  readonly lastMatch: SignedHead | null;
  /** True when there are fewer events than were signed; false when they are other events. */
  readonly missing: boolean;
}

/** Builds the ledger tree from the first event on, and compares it with every signed head. */
export class SignedHeadChecker<Event> {
  readonly #tree = new LedgerTree();
  readonly #heads: readonly SignedHead[];
  /** Number of heads that matched. */
  #matched = 0;
  #mismatch: Mismatch | null = null;

  /** @param positionOf the position of an event; null when it has none that can be read */
  constructor(
    heads: readonly SignedHead[],
    private readonly positionOf: (event: Event) => Position | null,
  ) {
    this.#heads = [...heads].sort((a, b) => a.head.size - b.head.size);
    this.#compare(BEGINNING);
  }

  get size(): number {
    return this.#tree.size;
  }

  /** The first mismatch; nothing after it is compared. */
  get mismatch(): Mismatch | null {
    return this.#mismatch;
  }

  add(digest: Buffer, event: Event): void {
    this.#tree.append(digest, BEGINNING);
    if (this.#heads[this.#matched]?.head.size === this.#tree.size) this.#compare(this.positionOf(event));
  }

  /** To be called after the last event. */
  end(): Mismatch | null {
    if (this.#heads[this.#matched]) this.#fail(true);
    return this.#mismatch;
  }

  #compare(position: Position | null): void {
    for (; this.#heads[this.#matched]?.head.size === this.size; this.#matched++) {
      const { head } = this.#heads[this.#matched]!;
      if (!sameTreeHead(head, this.#tree.head()) || head.position !== position) {
        this.#fail(false);
        return;
      }
    }
  }

  #fail(missing: boolean): void {
    const [signed, lastMatch] = [this.#heads[this.#matched]!, this.#heads[this.#matched - 1] ?? null];
    this.#mismatch ??= { signed, lastMatch, missing };
  }
}

export function describeMismatch({ signed: { name, head }, missing }: Mismatch, events: number): string {
  return missing
    ? `the ledger ends after ${counted(events, 'event')}; ${name} was signed over ${head.size}, the last of them at position ${head.position}`
    : `the events are not those of ${name}`;
}
