import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Option, type Command } from 'commander';
import { counted } from '../../../contracts/text/counted';
import { print } from './output';
import { untilInterrupted } from './with-engines';

export interface WrittenOutput {
  readonly bytes: number;
  /** In hex, of the whole output. */
  readonly sha256: string;
}

/** `--output`: of a command that writes something for others to read. */
export function outputOption(): Option {
  return new Option('--output <file>', 'default: to stdout');
}

/** Writes one line of JSON, also without `--json`; of a file it prints what is in it. */
export async function writeJson(value: unknown, file: string | undefined, command: Command): Promise<void> {
  async function* text(): AsyncIterable<string> {
    yield `${JSON.stringify(value)}\n`;
  }
  const written = await untilInterrupted(signal => writeOutput(text(), file, signal));
  if (file !== undefined)
    print({ output: file, ...written }, [`${file}: ${describeWritten(written)}`], command);
}

/** Such as `20 bytes, SHA-256 …`. */
export function describeWritten({ bytes, sha256 }: WrittenOutput): string {
  return `${counted(bytes, 'byte')}, SHA-256 ${sha256}`;
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
  async function* chunks(): AsyncIterable<Buffer> {
    for await (const part of text) {
      const chunk = Buffer.from(part);
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  const source = Readable.from(chunks(), { highWaterMark: 1 });
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
    const fault = code === 'ENOENT' ? 'there is no such folder' : `it cannot be written (${code})`;
    throw new Error(`--output ${file}: ${fault}`, { cause: error });
  }
}
