import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { readConfig, type Config } from '../infra/program/config';

/** Some commands of the command line, in this process and on a data folder of its own, for one file of tests. */
export function commandLine(...commands: readonly ((config: () => Config) => Command)[]) {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'tidemark-command-line-'));
  afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }));
  afterEach(() => jest.restoreAllMocks());
  const config = (): Config => readConfig({ DATA_DIR, LOG_LEVEL: 'fatal' });

  return {
    DATA_DIR,
    config,
    /** What it says. */
    async run(...words: string[]): Promise<string> {
      const said: unknown[] = [];
      const write = jest.spyOn(process.stdout, 'write').mockImplementation((text, ...rest) => {
        said.push(text);
        for (const done of rest) if (typeof done === 'function') done();
        return true;
      });
      const program = new Command('tidemark').option('--json', '', false);
      for (const command of commands) program.addCommand(command(config));
      await program.parseAsync(words, { from: 'user' }).finally(() => write.mockRestore());
      return said.join('');
    },
  };
}
