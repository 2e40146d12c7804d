/** A refusal that is only counted, by everything that tells it from others. */
export interface Counted {
  readonly action: string | null;
  readonly actor: string | null;
  readonly address: string;
  readonly status: number;
  readonly code: string;
}

export interface Tallied {
  readonly counts: readonly (Counted & { readonly count: number })[];
  /** Refusals of more kinds than are told apart. */
  readonly others: number;
}

/** Kinds of refusals that are told apart in one minute. */
const MOST_KINDS = 100;
/** Refusals of one actor in one minute that are written down one by one. */
const MOST_SINGLE = 30;

/** Keeps a flood of refusals out of the store: what one minute held is a record of bounded size. */
export class Tally {
  #counts = new Map<string, Counted & { count: number }>();
  #others = 0;
  #singles = new Map<string, number>();

  /** Whether a refusal may still be written down by itself: nobody's may, whom no token names. */
  takeSingle(actor: string | null): boolean {
    if (actor === null) return false;
    const before = this.#singles.get(actor) ?? 0;
    this.#singles.set(actor, before + 1);
    return before < MOST_SINGLE;
  }

  add(refusal: Counted): void {
    const { action, actor, address, status, code } = refusal;
    const kind = JSON.stringify([action, actor, address, status, code]);
    const known = this.#counts.get(kind);
    if (known) known.count++;
    else if (this.#counts.size < MOST_KINDS) this.#counts.set(kind, { ...refusal, count: 1 });
    else this.#others++;
  }

  /** What was counted since the last time, or null; begins anew. */
  drain(): Tallied | null {
    const tallied = { counts: [...this.#counts.values()], others: this.#others };
    this.#counts = new Map();
    this.#others = 0;
    this.#singles = new Map();
    return tallied.counts.length === 0 ? null : tallied;
  }
}
