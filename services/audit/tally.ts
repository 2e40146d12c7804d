/** A refusal that is only counted, with all that distinguishes it from others. */
export interface Counted {
  readonly action: string | null;
  readonly actor: string | null;
  readonly address: string;
  readonly status: number;
  readonly code: string;
}

interface Tallied {
  readonly counts: readonly (Counted & { readonly count: number })[];
  /** Refusals of further kinds. */
  readonly others: number;
}

/** Kinds of refusals that are counted separately in one minute. */
const MAX_KINDS = 100;
/** Refusals of one actor in one minute that are recorded one by one. */
const MAX_SINGLE = 30;

/** Bounds the size of the record of one minute, so that a flood of refusals does not fill the store. */
export class Tally {
  #counts = new Map<string, Counted & { count: number }>();
  #others = 0;
  #singles = new Map<string, number>();

  /** Whether one more refusal of the actor may be recorded on its own; never without an actor (no valid token). */
  takeSingle(actor: string | null): boolean {
    if (actor === null) return false;
    const before = this.#singles.get(actor) ?? 0;
    this.#singles.set(actor, before + 1);
    return before < MAX_SINGLE;
  }

  add(refusal: Counted, times = 1): void {
    const { action, actor, address, status, code } = refusal;
    const kind = JSON.stringify([action, actor, address, status, code]);
    const known = this.#counts.get(kind);
    if (known) known.count += times;
    else if (this.#counts.size < MAX_KINDS) this.#counts.set(kind, { ...refusal, count: times });
    else this.#others += times;
  }

  /** Counts again what could not be recorded. */
  restore({ counts, others }: Tallied): void {
    this.#others += others;
    for (const { count, ...refusal } of counts) this.add(refusal, count);
  }

  /** The counts since the last call, or null; resets them. */
  drain(): Tallied | null {
    const tallied = { counts: [...this.#counts.values()], others: this.#others };
    this.#counts = new Map();
    this.#others = 0;
    this.#singles = new Map();
    return tallied.counts.length === 0 ? null : tallied;
  }
}
