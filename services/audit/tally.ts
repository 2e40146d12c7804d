import { hasShareLeft } from '../../contracts/bound';
import { addressKey } from '../../contracts/http/address-key';
import { createCallerCounts, type CallerCounts } from '../callers/caller-counts';

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

/** Kinds of refusals that are counted separately in one minute: so many of callers with a valid token, and so many of all others. */
export const MAX_KINDS = 100;
/** The same of callers without one in a day (UTC): the trail has them for good. */
export const MAX_KINDS_PER_DAY = 10_000;
const DAY_MS = 86_400_000;
/** Refusals of one actor in one minute that are recorded one by one. */
const MAX_SINGLE = 30;

/**
 * Bounds the size of the record of one minute, so that a flood of refusals does not fill the store. A caller, or a network of those
 * without a token, has a quarter of what the others leave of the kinds.
 * @param now milliseconds since the epoch
 */
export class Tally {
  readonly #now: () => number;
  #day = -1;
  #ofDay = createCallerCounts();
  #ofMinute = { withToken: createCallerCounts(), without: createCallerCounts() };
  #counts = new Map<string, Counted & { count: number }>();
  #others = 0;
  #singles = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

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
    else if (this.#takeKind(refusal)) this.#counts.set(kind, { ...refusal, count: times });
    else this.#others += times;
  }

  /** Whether one more kind of refusals of the caller may be counted separately. */
  #takeKind({ actor, address }: Counted): boolean {
    const { withToken, without } = this.#ofMinute;
    if (actor !== null) return take(withToken, MAX_KINDS, actor);
    const network = addressKey(address);
    const today = Math.floor(this.#now() / DAY_MS);
    if (today !== this.#day) [this.#day, this.#ofDay] = [today, createCallerCounts()];
    return (
      hasShareLeft(MAX_KINDS_PER_DAY, this.#ofDay.all, this.#ofDay.of(network)) &&
      take(without, MAX_KINDS, network) &&
      take(this.#ofDay, MAX_KINDS_PER_DAY, network)
    );
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
    this.#ofMinute = { withToken: createCallerCounts(), without: createCallerCounts() };
    return tallied.counts.length + tallied.others === 0 ? null : tallied;
  }
}

function take(counts: CallerCounts, max: number, caller: string): boolean {
  const hasLeft = hasShareLeft(max, counts.all, counts.of(caller));
  if (hasLeft) counts.add(caller);
  return hasLeft;
}
