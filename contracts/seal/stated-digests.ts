import { z } from 'zod';
import { canonicalJson } from '../canonical-json';
import type { Position } from '../position';
import { digestsIn } from './ladder';

/** Events to which one line of digests belongs. */
const EVERY = 256;

const stated = z.object({
  digests: z.object({
    /** Index of the first event. */
    start: z.int().min(0),
    positions: z.array(z.int()),
    sha256: z.base64(),
  }),
});

/**
 * Lines between the events of an export that state the digests of those just before. They prove nothing: the chain does.
 * But where the chain is broken they tell, to the event, where.
 */
export class DigestLines {
  #start = 0;
  #digests: Buffer[] = [];
  #positions: Position[] = [];

  /** @returns the line that follows the event, without a line end, where one is due */
  add(digest: Buffer, position: Position): string | null {
    this.#digests.push(digest);
    this.#positions.push(position);
    return this.#digests.length < EVERY ? null : this.end();
  }

  /** The line that ends the export; null where none is due. */
  end(): string | null {
    if (this.#digests.length === 0) return null;
    const said = {
      start: this.#start,
      positions: this.#positions,
      sha256: Buffer.concat(this.#digests).toString('base64'),
    };
    this.#start += this.#digests.length;
    this.#digests = [];
    this.#positions = [];
    return canonicalJson({ digests: said });
  }
}

const LEAD = Buffer.from('{"digests":{');

/** Events are written with `created` first, so no line of theirs begins like this one. */
export function isDigestLine(line: Buffer): boolean {
  return (
    line[2] === LEAD[2] &&
    line.length > LEAD.length &&
    line.compare(LEAD, 0, LEAD.length, 0, LEAD.length) === 0
  );
}

export interface StatedDigests {
  readonly start: number;
  readonly positions: readonly Position[];
  readonly digests: readonly Buffer[];
}

/** Null when the line says something else, or nothing sound. */
export function readDigestLine(line: Buffer): StatedDigests | null {
  try {
    const { digests } = stated.parse(JSON.parse(line.toString()) as unknown);
    return { start: digests.start, positions: digests.positions, digests: digestsIn(digests.sha256) };
  } catch {
    return null;
  }
}
