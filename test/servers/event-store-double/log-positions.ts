import { BEGINNING, type Position } from '../../../contracts/position';

/** Size of a record in the simulated log. */
const RECORD_BYTES = 64;

/** The log of a server is a row of files of this size. */
export const CHUNK_BYTES = 256 * 1024 * 1024;

interface Chunk {
  readonly firstRow: Position;
  readonly start: Position;
}

/** What the embedded store calls position is the number of a row here: positions are those of the log of a server, bytes from its start. */
export class LogPositions {
  /** The log of a server begins with a record that is not an event. */
  private readonly chunks: Chunk[] = [{ firstRow: 0, start: RECORD_BYTES }];

  ofRow(row: Position): Position {
    if (row <= BEGINNING) return BEGINNING;
    const { firstRow, start } = this.chunks.findLast(chunk => chunk.firstRow <= row)!;
    return start + (row - firstRow) * RECORD_BYTES;
  }

  /** The last row at or before a position. */
  lastRowAt(position: Position): Position {
    const index = this.chunks.findLastIndex(chunk => chunk.start <= position);
    if (index < 0) return BEGINNING;
    const { firstRow, start } = this.chunks[index]!;
    const row = firstRow + Math.floor((position - start) / RECORD_BYTES);
    return Math.min(row, (this.chunks[index + 1]?.firstRow ?? Infinity) - 1);
  }

  /** A scavenge ends the chunk with its record: the next one is at the start of another file, and only that is still written. */
  endChunk(row: Position): void {
    if (row < this.chunks.at(-1)!.firstRow) return;
    const end = this.ofRow(row) + RECORD_BYTES;
    this.chunks.push({ firstRow: row + 1, start: Math.ceil(end / CHUNK_BYTES) * CHUNK_BYTES });
  }

  /** Whether the server can read from a position. In a chunk that was scavenged it can from anywhere, as it looks for the next record. */
  isReadable(position: Position): boolean {
    const { start } = this.chunks.at(-1)!;
    if (position < start) return this.chunks.length > 1 || position <= 0;
    return (position - start) % RECORD_BYTES === 0;
  }
}
