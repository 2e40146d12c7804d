import { copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkDatabase } from '../../infra/engines/sqlite/check-database';
import { randomFrom } from '../random';
import { CHECKPOINT, FILES, READS, type DatabaseFile } from './engines';

/*
 * Flips one byte at a time in copies of database files, and reads everything. A process of its own, since a reader that
 * aborts takes its process with it.
 *
 * node flip-bytes.js <folder with the files> <flips> <seed>
 *
 * Prints one line of JSON before each flip, and one after it. Those of the name of a checkpoint come first.
 */

/** What became of the reads of a damaged file. */
export interface FlipResult {
  readonly file: DatabaseFile;
  readonly offset: number;
  /** `right`: all as written. `reported`: by an error, or by what `tidemark verify` checks. */
  readonly outcome: 'right' | 'reported' | 'wrong';
  /** The read that was wrong. */
  readonly read?: string;
}

/** Engines that deliver what they can read, and leave out or postpone the rest. */
const MAY_OMIT: readonly DatabaseFile[] = ['jobs.sqlite', 'mailbox.sqlite'];

const print = (line: object): void => writeFileSync(1, `${JSON.stringify(line)}\n`);

const texts = (answer: unknown): string[] =>
  Array.isArray(answer) ? answer.map(each => JSON.stringify(each)) : [JSON.stringify(answer)];

async function answerOf(read: (path: string) => Promise<unknown>, path: string): Promise<string[] | null> {
  try {
    return texts(await read(path));
  } catch {
    return null;
  }
}

function isRight(file: DatabaseFile, answer: readonly string[], expected: readonly string[]): boolean {
  if (MAY_OMIT.includes(file)) return answer.every(each => expected.includes(each));
  return answer.length === expected.length && answer.every((each, i) => each === expected[i]);
}

async function main([folder, flips, seed]: readonly string[]): Promise<void> {
  const random = randomFrom(Number(seed));
  const expected = new Map<string, string[]>();
  let copies = 0;
  const copyOf = (file: DatabaseFile): string => {
    const copy = join(folder!, `${(copies += 1)}-${file}`);
    copyFileSync(join(folder!, file), copy);
    return copy;
  };
  const remove = (copy: string): void => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(copy + suffix, { force: true });
  };
  for (const file of FILES)
    for (const [name, read] of Object.entries(READS[file])) {
      const copy = copyOf(file);
      expected.set(`${file} ${name}`, texts(await read(copy)));
      remove(copy);
    }

  const places: { readonly file: DatabaseFile; readonly offset: number }[] = [];
  const documents = readFileSync(join(folder!, 'documents.sqlite'));
  const name = Buffer.from(CHECKPOINT.name);
  for (let at = documents.indexOf(name); at !== -1; at = documents.indexOf(name, at + 1))
    for (let n = 0; n < name.length; n++) places.push({ file: 'documents.sqlite', offset: at + n });
  const sizes = FILES.map(file => statSync(join(folder!, file)).size);
  for (let n = 0; n < Number(flips); n++) {
    let offset = Math.floor(random() * sizes.reduce((sum, size) => sum + size));
    const which = sizes.findIndex(size => offset < size || ((offset -= size), false));
    places.push({ file: FILES[which]!, offset });
  }
  for (const { file, offset } of places) {
    const mask = 1 + Math.floor(random() * 255);
    print({ file, offset, mask });
    let result: FlipResult = { file, offset, outcome: 'right' };
    for (const [name, read] of Object.entries(READS[file])) {
      const copy = copyOf(file);
      const bytes = readFileSync(copy);
      bytes[offset]! ^= mask;
      writeFileSync(copy, bytes);
      const answer = await answerOf(read, copy);
      if (answer === null) result = { ...result, outcome: 'reported' };
      else if (!isRight(file, answer, expected.get(`${file} ${name}`)!)) {
        writeFileSync(copy, bytes);
        const isFound = checkDatabase(copy).length > 0;
        result = { ...result, outcome: isFound ? 'reported' : 'wrong', read: name };
      }
      remove(copy);
      if (result.outcome === 'wrong') break;
    }
    print(result);
  }
}

if (require.main === module) void main(process.argv.slice(2));
