import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../test/temporary-folder';
import { readLines, type LineBatch } from './export-lines';

const MIB = 2 ** 20;

let folder: string;
beforeAll(() => (folder = temporaryFolder()));

async function passagesOf(text: string, start?: number): Promise<LineBatch[]> {
  const file = join(folder, 'lines');
  writeFileSync(file, text);
  const passages: LineBatch[] = [];
  for await (const passage of readLines(file, start)) passages.push(passage);
  return passages;
}

const linesOf = (passages: readonly LineBatch[]): string[] =>
  passages.flatMap(({ lines }) => lines.map(line => line.toString()));

/** Several megabytes, with a line longer than a chunk and two-byte characters. */
const LINES = Array.from({ length: 40_000 }, (_, n) =>
  n === 20_000 ? 'x'.repeat(3 * MIB) : `${n} ${'ä'.repeat(n % 97)}`,
);

describe('the lines of a file', () => {
  it('are complete, with or without a final line end', async () => {
    expect(linesOf(await passagesOf(LINES.join('\n')))).toEqual(LINES);
    expect(linesOf(await passagesOf(`${LINES.join('\n')}\n`))).toEqual(LINES);
    expect(linesOf(await passagesOf(''))).toEqual([]);
  });

  it('end where the file ended when it was opened', async () => {
    const file = join(folder, 'growing');
    writeFileSync(file, `${LINES.join('\n')}\n`);
    let read = 0;
    for await (const { lines } of readLines(file)) {
      read += lines.length;
      appendFileSync(file, 'x\n'.repeat(2 ** 20));
    }
    expect(read).toBe(LINES.length);
  });

  it.each([
    ['whose end is in the file', '\n'],
    ['without an end', ''],
  ])('are not longer than an event can be, also one %s', async (_, end) => {
    const read = passagesOf(`1\n2\n${'x'.repeat(5 * MIB)}${end}`);
    await expect(read).rejects.toThrow('line 3 is too long');
  });

  it('are not read further once one is too long', async () => {
    const file = join(folder, 'one-line');
    writeFileSync(file, 'x'.repeat(16 * MIB));
    const sizes: number[] = [];
    await expect(async () => {
      for await (const { lines } of readLines(file)) sizes.push(lines.length);
    }).rejects.toThrow('line 1 is too long');
    // Mebibytes that were read before it was refused.
    expect(sizes).toHaveLength(4);
  });

  it('can be read from the start of a batch', async () => {
    const text = LINES.join('\n');
    const passages = await passagesOf(text);
    expect(passages.length).toBeGreaterThan(5);
    for (const [n, { offset: at }] of passages.entries())
      expect(linesOf(await passagesOf(text, at))).toEqual(linesOf(passages.slice(n)));
  });
});
