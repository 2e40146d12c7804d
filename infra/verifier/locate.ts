import { BEGINNING, type Position } from '../../contracts/position';
import { leafDigest } from '../../contracts/seal/ledger-line';
import { GrowingTree } from '../../contracts/seal/merkle';
import { isDigestLine, readDigestLine, type StatedDigests } from '../../contracts/seal/stated-digests';
import { readLines } from './export-lines';
import type { Place } from './verdict';

/** Perfect subtrees of the history that was signed, each over 2^level events. */
export interface Rungs {
  readonly level: number;
  readonly roots: readonly Buffer[];
}

/** A stretch of events, by index: from here to before there. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

interface Difference {
  readonly index: number;
  readonly place: Place;
}

/**
 * Reads an export that was found to be wrong once more, and tells where. The digests that it states itself tell the
 * event, as long as whoever changed the event left them alone; the subtrees of the proof, which nobody can change, tell
 * the stretch. An event outside that stretch is not believed to be the first.
 */
export async function locate(file: string, rungs: Rungs, suspected: Stretch): Promise<Place> {
  const finder = new Finder(rungs);
  for await (const { lines } of readLines(file)) for (const line of lines) finder.see(line);
  const { from, to } = finder.stretch ?? suspected;
  const { difference } = finder;
  if (difference && difference.index >= from && difference.index < to) return difference.place;
  return { between: [finder.positionBefore(from), finder.positionBefore(to)] };
}

class Finder {
  difference: Difference | null = null;
  stretch: Stretch | null = null;
  #index = 0;
  #line = 0;
  #position: Position = BEGINNING;
  #unstated: { readonly digest: Buffer; readonly line: number; readonly position: Position | null }[] = [];
  #tree = new GrowingTree();
  readonly #rungs: Rungs;
  /** By index of the event that follows, at the ends of rungs; the last one is where reading is. */
  readonly #positions = new Map<number, Position>([[0, BEGINNING]]);

  constructor(rungs: Rungs) {
    this.#rungs = rungs;
  }

  see(line: Buffer): void {
    this.#line++;
    if (isDigestLine(line)) {
      this.#hold(readDigestLine(line));
      return;
    }
    const digest = leafDigest(line);
    const position = this.difference && this.stretch ? null : positionOf(line);
    this.#unstated.push({ digest, line: this.#line, position });
    this.#position = position ?? this.#position;
    this.#climb(digest);
    this.#index++;
    this.#positions.set(this.#index, this.#position);
    if (this.#positions.size > MOST_POSITIONS) this.#thin();
  }

  /** The last position known up to the index. */
  positionBefore(index: number): Position {
    let [best, position] = [-1, BEGINNING];
    for (const [at, each] of this.#positions) if (at <= index && at > best) [best, position] = [at, each];
    return position;
  }

  #hold(stated: StatedDigests | null): void {
    const found = this.#unstated;
    this.#unstated = [];
    if (this.difference) return;
    const start = this.#index - found.length;
    const count = Math.max(found.length, stated?.digests.length ?? 0);
    for (let n = 0; n < count; n++) {
      const digest = stated?.digests[n];
      if (digest && found[n] && digest.equals(found[n]!.digest)) continue;
      const position = stated?.positions[n] ?? found[n]?.position ?? undefined;
      const at = found[n]?.line ?? this.#line;
      this.difference = {
        index: start + n,
        place: { ...(position !== undefined && { position }), line: at },
      };
      return;
    }
  }

  /** Compares each rung when it is full. */
  #climb(digest: Buffer): void {
    if (this.stretch) return;
    const width = 2 ** this.#rungs.level;
    this.#tree.add(digest);
    if (this.#tree.size < width) return;
    const n = Math.floor(this.#index / width);
    const root = this.#rungs.roots[n];
    if (root && !root.equals(this.#tree.root())) this.stretch = { from: n * width, to: (n + 1) * width };
    this.#tree = new GrowingTree();
  }

  #thin(): void {
    const width = 2 ** this.#rungs.level;
    for (const at of this.#positions.keys())
      if (at % width !== 0 && at !== this.#index) this.#positions.delete(at);
  }
}

const MOST_POSITIONS = 100_000;

/** Null where the line is no event any more. */
export function positionOf(bytes: Buffer): Position | null {
  try {
    const { position } = JSON.parse(bytes.toString()) as { position?: unknown };
    return Number.isSafeInteger(position) ? (position as Position) : null;
  } catch {
    return null;
  }
}
