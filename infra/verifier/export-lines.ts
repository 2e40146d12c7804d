import { createReadStream } from 'node:fs';
import { isDigestLine } from '../../contracts/seal/stated-digests';
import { Failed } from './verdict';

const CHUNK = 2 ** 20;
const LINE_END = 0x0a;

/** Bytes that a line may have: an event is never so long, and a file without line ends is no export. */
const LONGEST = 2 ** 26;

/** Lines that follow each other, without their ends. */
export interface Passage {
  /** Byte of the file at which the first of them begins. */
  readonly at: number;
  readonly lines: readonly Buffer[];
}

/**
 * The lines of a file as it is read; an empty last one is none.
 * @param start byte at which a line begins
 * @throws Failed when the file cannot be read
 */
export async function* readLines(file: string, start = 0): AsyncGenerator<Passage> {
  let rest: Buffer[] = [];
  let pending = 0;
  let number = 0;
  let at = start;
  let read = start;
  try {
    const chunks: AsyncIterable<Buffer> = createReadStream(file, { start, highWaterMark: CHUNK });
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
      if (pending > LONGEST) throw new Failed('unusable', `${file}: line ${number + 1} has no end`);
      number += lines.length;
      yield { at, lines };
      if (lines.length > 0) at = read + from;
      read += chunk.length;
    }
  } catch (error) {
    throw error instanceof Failed ? error : new Failed('unusable', `${file}: ${(error as Error).message}`);
  }
  if (rest.length > 0) yield { at, lines: [Buffer.concat(rest)] };
}

/** The lines of events alone. */
export async function* readEvents(file: string, start = 0): AsyncGenerator<Passage> {
  for await (const { at, lines } of readLines(file, start))
    yield { at, lines: lines.filter(line => !isDigestLine(line)) };
}
