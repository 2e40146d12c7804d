import { EVENTS_PER_LINE, parseDigestLine, type DigestLine } from '../../contracts/ledger-tree/digest-lines';
import { eventDigest, isDigestLine } from '../../contracts/ledger-tree/ledger-line';
import { MerkleTree } from '../../contracts/ledger-tree/merkle-tree';
import { BEGINNING, type Position } from '../../contracts/position';
import { positionOf, readLines } from './export-lines';
import type { Location } from './outcome';

/** Roots of perfect subtrees of the signed tree, each over 2^level events. */
export interface ProvenSubtrees {
  readonly level: number;
  readonly roots: readonly Buffer[];
}

/** Indexes of events: from `from` to before `to`. */
export interface EventRange {
  readonly from: number;
  readonly to: number;
}

export interface FoundDifference {
  /** Whether the subtrees show one; not when the events only end too early. */
  readonly inSubtrees: boolean;
  readonly location: Location;
}

interface Difference {
  readonly index: number;
  readonly location: Location;
}

/**
 * Reads an export that does not match what was signed once more, and finds where it differs. Its own digest lines show
 * the event, as long as they were not changed with it; the subtrees of the proof, which cannot be forged, show the range.
 * A digest line that differs outside that range is not trusted.
 */
export async function findDifference(
  file: string,
  proven: ProvenSubtrees,
  suspected: EventRange,
): Promise<FoundDifference> {
  const finder = new DifferenceFinder(proven, suspected);
  for await (const { lines } of readLines(file)) for (const line of lines) finder.add(line);
  const { from, to } = finder.range ?? suspected;
  const { difference } = finder;
  const inSubtrees = finder.range !== null;
  if (difference && difference.index >= from && difference.index < to)
    return { inSubtrees, location: difference.location };
  return { inSubtrees, location: { between: [finder.positionBefore(from), finder.positionBefore(to)] } };
}

/** Enough to find the events that were inserted into or left out of a group. */
const MAX_UNCHECKED = 16 * EVENTS_PER_LINE;

class DifferenceFinder {
  difference: Difference | null = null;
  range: EventRange | null = null;
  #index = 0;
  #line = 0;
  #position: Position = BEGINNING;
  /** The last events since the last digest line, without whole groups at their beginning when they are too many. */
  #unchecked: { readonly digest: Buffer; readonly line: number; readonly position: Position | null }[] = [];
  #tree = new MerkleTree();
  /** Position of the last event before an index, for the indexes that a location may need. */
  readonly #positions = new Map<number, Position>([[0, BEGINNING]]);

  constructor(
    private readonly proven: ProvenSubtrees,
    private readonly suspected: EventRange,
  ) {}

  add(line: Buffer): void {
    this.#line++;
    if (isDigestLine(line)) {
      this.#compareDigests(parseDigestLine(line));
      return;
    }
    const digest = eventDigest(line);
    const position = this.difference && this.range ? null : positionOf(line);
    this.#unchecked.push({ digest, line: this.#line, position });
    if (this.#unchecked.length > MAX_UNCHECKED) this.#unchecked.splice(0, MAX_UNCHECKED / 2);
    this.#position = position ?? this.#position;
    this.#compareSubtree(digest);
    this.#index++;
    if (this.#isNeeded(this.#index)) this.#positions.set(this.#index, this.#position);
  }

  /** The last known position before the index. */
  positionBefore(index: number): Position {
    let [best, position] = index >= this.#index ? [this.#index, this.#position] : [-1, BEGINNING];
    for (const [at, each] of this.#positions) if (at <= index && at > best) [best, position] = [at, each];
    return position;
  }

  #compareDigests(stated: DigestLine | null): void {
    const unchecked = this.#unchecked;
    this.#unchecked = [];
    if (this.difference) return;
    // Digest lines before this one may be left out.
    const left = (stated?.start ?? 0) - (this.#index - unchecked.length);
    const found = left > 0 && left % EVENTS_PER_LINE === 0 ? unchecked.slice(left) : unchecked;
    const start = this.#index - found.length;
    const count = Math.max(found.length, stated?.digests.length ?? 0);
    for (let n = 0; n < count; n++) {
      const digest = stated?.digests[n];
      if (digest && found[n] && digest.equals(found[n]!.digest)) continue;
      const position = stated?.positions[n] ?? found[n]?.position ?? undefined;
      const line = found[n]?.line ?? this.#line;
      this.difference = { index: start + n, location: { ...(position !== undefined && { position }), line } };
      return;
    }
  }

  /** Compares each subtree when it is complete. */
  #compareSubtree(digest: Buffer): void {
    if (this.range) return;
    const width = 2 ** this.proven.level;
    this.#tree.append(digest);
    if (this.#tree.size < width) return;
    const n = Math.floor(this.#index / width);
    const root = this.proven.roots[n];
    if (root && !root.equals(this.#tree.root())) this.range = { from: n * width, to: (n + 1) * width };
    this.#tree = new MerkleTree();
  }

  #isNeeded(index: number): boolean {
    const width = 2 ** this.proven.level;
    const { from, to } = this.suspected;
    const isEnd = index % width === 0 && index <= width * this.proven.roots.length;
    return isEnd || index === from || index === to;
  }
}
