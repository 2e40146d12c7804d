import { closeSync, createReadStream, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { isDigestLine } from '../../contracts/ledger-tree/ledger-line';
import type { Position } from '../../contracts/position';
import { parseIJson } from '../../contracts/json/i-json';
import { VerificationFailed } from './outcome';
import { readJson } from '../../contracts/json/read-json';

const CHUNK_BYTES = 2 ** 20;
const LINE_END = 0x0a;

/** An append is at most 1 MiB, so no event is this long; a file without line ends is not an export. */
const MAX_LINE_BYTES = 2 ** 22;

/** Consecutive lines, without line ends. */
export interface LineBatch {
  /** Offset in the file of the first of them. */
  readonly offset: number;
  readonly lines: readonly Buffer[];
}

/**
 * The lines of a file, as it is read, without an empty last one.
 * @param start offset of the beginning of a line
 * @throws VerificationFailed when the file cannot be read
 */
export async function* readLines(file: string, start = 0): AsyncGenerator<LineBatch> {
  /** The start of a line whose end was not read yet. */
  let rest: Buffer[] = [];
  let pending = 0;
  let number = 0;
  let offset = start;
  let read = start;
  try {
    const { size } = statSync(file);
    // What is appended meanwhile is not read: the end would never be reached.
    const end = Math.max(start, size - 1);
    const chunks: AsyncIterable<Buffer> = createReadStream(file, { start, end, highWaterMark: CHUNK_BYTES });
    for await (const chunk of chunks) {
      const lines: Buffer[] = [];
      let from = 0;
      for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, from)) {
        const tail = chunk.subarray(from, end);
        lines.push(rest.length > 0 ? Buffer.concat([...rest, tail]) : tail);
        if (rest.length > 0) rest = [];
        pending = 0;
        from = end + 1;
      }
      if (from < chunk.length) rest.push(chunk.subarray(from));
      pending += chunk.length - from;
      const longest = lines.findIndex(line => line.length > MAX_LINE_BYTES);
      if (longest >= 0 || pending > MAX_LINE_BYTES)
        throw new VerificationFailed(
          'unusable',
          `${file}: line ${number + 1 + (longest >= 0 ? longest : lines.length)} is too long`,
        );
      number += lines.length;
      yield { offset, lines };
      if (lines.length > 0) offset = read + from;
      read += chunk.length;
    }
  } catch (error) {
    throw error instanceof VerificationFailed
      ? error
      : new VerificationFailed('unusable', `${file}: ${(error as Error).message}`);
  }
  if (rest.length > 0) yield { offset, lines: [Buffer.concat(rest)] };
}

/** Whether the last line has its line end. Without, the file was probably cut off. */
export function isWhole(file: string): boolean {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const last = Buffer.alloc(1);
    return size === 0 || (readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] === LINE_END);
  } finally {
    closeSync(descriptor);
  }
}

/** How every line of an event begins, in its canonical form. */
const EVENT_PREFIX = Buffer.from('{"created":');

/**
 * Checks that a file has any line of an export: one without is another file, not an altered ledger.
 * @throws VerificationFailed when it has none
 */
export async function checkIsExport(file: string): Promise<void> {
  let isEmpty = true;
  for await (const { lines } of readLines(file)) {
    if (lines.some(line => isDigestLine(line) || line.indexOf(EVENT_PREFIX) === 0)) return;
    isEmpty &&= lines.length === 0;
  }
  const reason = isEmpty ? 'it has no events' : 'line 1 is no event of an export';
  throw new VerificationFailed('unusable', `${file}: ${reason}`);
}

/** The lines of events, without digest lines. */
export async function* readEvents(file: string, start = 0): AsyncGenerator<LineBatch> {
  for await (const { offset, lines } of readLines(file, start))
    yield { offset, lines: lines.filter(line => !isDigestLine(line)) };
}

/** As `positionOf`, of a line that nothing signed covers, and that is one JSON text to every reader. */
export function positionInUnsigned(line: Buffer): Position | null {
  try {
    const { position } = parseIJson(line) as { position?: unknown };
    return Number.isSafeInteger(position) ? (position as Position) : null;
  } catch {
    return null;
  }
}

/** Null when the line is not an event. */
export function positionOf(line: Buffer): Position | null {
  try {
    const { position } = readJson(line.toString()) as { position?: unknown };
    return Number.isSafeInteger(position) ? (position as Position) : null;
  } catch {
    return null;
  }
}
