import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface WrittenOutput {
  readonly bytes: number;
  /** In hex, of the whole output. */
  readonly sha256: string;
}

/**
 * Writes text to a file or to stdout, with back-pressure. A file is readable by its owner only, and gets its name only once all
 * of it is on the disk.
 */
export async function writeOutput(
  text: AsyncIterable<string>,
  file: string | undefined,
  signal: AbortSignal,
): Promise<WrittenOutput> {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* counted(): AsyncIterable<Buffer> {
    for await (const part of text) {
      const chunk = Buffer.from(part);
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  const source = Readable.from(counted(), { highWaterMark: 1 });
  if (file === undefined) await pipeline(source, process.stdout, { end: false, signal });
  else await writeFileAtomically(source, file, signal);
  return { bytes, sha256: hash.digest('hex') };
}

async function writeFileAtomically(source: Readable, file: string, signal: AbortSignal): Promise<void> {
  // A name that nobody can have prepared a link at, such as in /tmp.
  const unfinished = `${file}.${randomUUID()}.unfinished`;
  try {
    await pipeline(source, createWriteStream(unfinished, { flush: true, flags: 'wx', mode: 0o600 }), {
      signal,
    });
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || signal.aborted) throw error;
    throw new Error(`--output ${file}: it cannot be written (${code})`, { cause: error });
  }
}
