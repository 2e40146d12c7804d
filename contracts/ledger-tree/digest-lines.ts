import { z } from 'zod';
import { canonicalJson } from '../json/canonical-json';
import type { Position } from '../position';
import { splitDigests } from './subtree-roots';
import { readJson } from '../json/read-json';

/** Events that one line of digests covers at most. */
export const EVENTS_PER_LINE = 256;

const digestLine = z.object({
  digests: z.object({
    /** Index of the first event. */
    start: z.int().min(0),
    positions: z.array(z.int()),
    sha256: z.base64(),
  }),
});

/**
 * Lines between the events of an export, with the digests of the events just before. The proof is the hash chain; when
 * that is broken, these lines show which event was changed.
 */
export class DigestLineWriter {
  #start = 0;
  #digests: Buffer[] = [];
  #positions: Position[] = [];

  /** @returns the line to write after the event, without a line end; null when none is due */
  add(digest: Buffer, position: Position): string | null {
    this.#digests.push(digest);
    this.#positions.push(position);
    return this.#digests.length < EVENTS_PER_LINE ? null : this.end();
  }

  /** The last line of the export; null when none is due. */
  end(): string | null {
    if (this.#digests.length === 0) return null;
    const digests = {
      start: this.#start,
      positions: this.#positions,
      sha256: Buffer.concat(this.#digests).toString('base64'),
    };
    this.#start += this.#digests.length;
    this.#digests = [];
    this.#positions = [];
    return canonicalJson({ digests });
  }
}

export interface DigestLine {
  readonly start: number;
  readonly positions: readonly Position[];
  readonly digests: readonly Buffer[];
}

/** Null when the line is malformed. */
export function parseDigestLine(line: Buffer): DigestLine | null {
  try {
    const { start, positions, sha256 } = digestLine.parse(readJson(line.toString())).digests;
    const digests = splitDigests(sha256);
    return digests && { start, positions, digests };
  } catch {
    return null;
  }
}
