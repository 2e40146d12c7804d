import { createReadStream } from 'node:fs';
import { isDigestLine } from '../../contracts/seal/stated-digests';
import { Failed } from './verdict';

const CHUNK = 2 ** 20;
const LINE_END = 0x0a;

/** Bytes that a line may have: an event is never so long, and a file without line ends is no export. */
const LONGEST = 2 ** 26;

/** Lines without their ends, in batches as the file is read; an empty last one is none. @throws Failed when the file cannot be read */
export async function* readLines(file: string): AsyncGenerator<readonly Buffer[]> {
  let rest: Buffer[] = [];
  let pending = 0;
  let number = 0;
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: CHUNK }) as AsyncIterable<Buffer>) {
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
      yield lines;
    }
  } catch (error) {
    throw error instanceof Failed ? error : new Failed('unusable', `${file}: ${(error as Error).message}`);
  }
  if (rest.length > 0) yield [Buffer.concat(rest)];
}

/** The lines of events alone. */
export async function* readEvents(file: string): AsyncGenerator<readonly Buffer[]> {
  for await (const lines of readLines(file)) yield lines.filter(line => !isDigestLine(line));
}
