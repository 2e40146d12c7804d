import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { runCommand } from '../../../test/command-line';
import { temporaryFolder } from '../../../test/temporary-folder';
import type { Config } from '../../config/settings';
import { outputOption, writeJson, writeOutput } from './write-output';

it('names the option and the file that cannot be written', async () => {
  const file = join(tmpdir(), 'no-such-folder', 'ledger.ndjson');
  async function* text() {
    yield 'a';
  }
  const writing = writeOutput(text(), file, new AbortController().signal);
  await expect(writing).rejects.toThrow(`--output ${file}: there is no such folder`);
});

describe('a document', () => {
  const show = (): Command =>
    new Command('show')
      .addOption(outputOption())
      .action(({ output }: { readonly output?: string }, command: Command) =>
        writeJson({ a: 1 }, output, command),
      );
  const run = (...words: string[]): Promise<string> => runCommand([show], () => ({}) as Config, words);

  it('is a line on stdout', async () => expect(await run('show')).toBe('{"a":1}\n'));

  it('or in a file, of which the digest is printed', async () => {
    const file = join(temporaryFolder(), 'document.json');
    const printed = await run('--json', 'show', '--output', file);
    expect(readFileSync(file, 'utf8')).toBe('{"a":1}\n');
    const sha256 = createHash('sha256').update('{"a":1}\n').digest('hex');
    expect(JSON.parse(printed)).toEqual({ output: file, bytes: 8, sha256 });
  });
});
