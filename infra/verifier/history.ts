import { BEGINNING, type Position } from '../../contracts/position';
import { GrowingSeal, sameHistory, type History } from '../../contracts/seal/growing-seal';

/** A history that somebody signed, and in what. */
export interface Signed {
  readonly what: string;
  readonly history: History;
}

/** What was signed and is not so, and what agreed last before it; null when nothing did. */
export interface Contradiction {
  readonly signed: Signed;
  readonly agreed: Signed | null;
  /** The events end before there are as many as were signed; else they are others. */
  readonly missing: boolean;
}

/** Follows events from the first on, and holds them against everything that was signed of them. */
export class Following<Event> {
  readonly #seal = new GrowingSeal();
  readonly #signed: readonly Signed[];
  #agreed = 0;
  #contradiction: Contradiction | null = null;

  /** @param where tells where an event stands; null when it is none any more */
  constructor(
    signed: readonly Signed[],
    private readonly where: (event: Event) => Position | null,
  ) {
    this.#signed = [...signed].sort((a, b) => a.history.size - b.history.size);
    this.#compare(BEGINNING);
  }

  get size(): number {
    return this.#seal.size;
  }

  /** The first one; nothing behind it is held against anything. */
  get contradiction(): Contradiction | null {
    return this.#contradiction;
  }

  add(digest: Buffer, event: Event): void {
    this.#seal.add(digest, BEGINNING);
    if (this.#signed[this.#agreed]?.history.size === this.#seal.size) this.#compare(this.where(event));
  }

  /** There are no more events. */
  end(): Contradiction | null {
    if (this.#signed[this.#agreed]) this.#contradict(true);
    return this.#contradiction;
  }

  #compare(position: Position | null): void {
    for (; this.#signed[this.#agreed]?.history.size === this.size; this.#agreed++) {
      const { history } = this.#signed[this.#agreed]!;
      if (!sameHistory(history, this.#seal.now()) || history.position !== position) {
        this.#contradict(false);
        return;
      }
    }
  }

  #contradict(missing: boolean): void {
    const [signed, agreed] = [this.#signed[this.#agreed]!, this.#signed[this.#agreed - 1] ?? null];
    this.#contradiction ??= { signed, agreed, missing };
  }
}

/** What a contradiction says, in words. */
export function contradicts({ signed: { what, history }, missing }: Contradiction, events: number): string {
  return missing
    ? `the history ends after ${events} events; ${what} was signed when it had ${history.size}, the last of them at position ${history.position}`
    : `the events are not those of ${what}`;
}
