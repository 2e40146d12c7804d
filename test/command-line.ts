import { Command } from 'commander';
import { readConfig } from '../infra/program/settings/config';
import type { Config } from '../infra/config/settings';
import { temporaryFolder } from './temporary-folder';

type MakeCommand = (config: () => never) => Command;

/**
 * Runs a command of the CLI in this process, without the cost of starting another one.
 * @returns what it writes to stdout
 * @throws the error of the command, also for invalid arguments
 */
export async function runCommand(
  commands: readonly MakeCommand[],
  config: () => Config,
  words: readonly string[],
): Promise<string> {
  const written: unknown[] = [];
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((text, ...rest) => {
    written.push(text);
    for (const done of rest) if (typeof done === 'function') done();
    return true;
  });
  const program = new Command('tidemark').option('--json', '', false);
  for (const command of commands)
    program.addCommand(
      command(config as () => never)
        .exitOverride()
        .configureOutput({ writeErr: () => undefined }),
    );
  await program.parseAsync(words, { from: 'user' }).finally(() => write.mockRestore());
  return written.join('');
}

/** Runs commands of the CLI in this process, on a data folder for one test file. */
export function commandLine(...commands: readonly MakeCommand[]) {
  const DATA_DIR = temporaryFolder();
  afterEach(() => jest.restoreAllMocks());
  const config = (): Config => readConfig({ DATA_DIR, LOG_LEVEL: 'fatal' });

  return {
    DATA_DIR,
    config,
    run: (...words: string[]): Promise<string> => runCommand(commands, config, words),
  };
}
