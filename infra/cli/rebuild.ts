import { Command, InvalidArgumentError } from 'commander';
import type { RebuildReport } from '../../projections/engine/rebuild';
import type { Config } from '../program/config';
import { READ_MODELS } from '../program/read-models';
import { print } from './output';
import { progressOn } from './progress';
import { withEngines } from './with-engines';

interface RebuildFlags {
  readonly all: boolean;
  readonly verify: boolean;
}

export function rebuildCommand(config: () => Config): Command {
  return new Command('rebuild')
    .description('build a projection anew beside the live one, compare, and switch')
    .argument('[name]', `one of ${READ_MODELS.map(({ name }) => name).join(', ')}`, known)
    .option('--all', 'every projection, one after the other', false)
    .option('--verify', 'only compare: the live one stays', false)
    .action(async (name: string | undefined, { all, verify }: RebuildFlags, command: Command) => {
      const names = all ? READ_MODELS.map(projection => projection.name) : name === undefined ? [] : [name];
      if (names.length === 0) throw new InvalidArgumentError('Name a projection, or say --all.');
      const output = command.optsWithGlobals<{ json: boolean }>();
      const reports = await withEngines(config(), async ({ engine, signal }) => {
        const done: RebuildReport[] = [];
        for (const each of names) {
          const progress = progressOn(each, output);
          const report = await engine
            .rebuild(each, {
              signal,
              switchWhen: verify ? 'never' : 'always',
              onProgress: ({ done: inputs, total }) => progress.at(inputs, total),
            })
            .finally(() => progress.stop());
          done.push(report);
        }
        return done;
      });
      print(reports, reports.map(line), output);
      if (verify && reports.some(differs)) process.exitCode = 2;
    });
}

const differs = ({ comparison }: RebuildReport): boolean =>
  comparison !== null && comparison.different + comparison.unsettled > 0;

function line({ projection, to, comparison, switched }: RebuildReport): string {
  const verdict = comparison
    ? `${comparison.documents} documents, ${comparison.different + comparison.unsettled} different`
    : 'nothing to compare';
  return `${projection}: ${verdict}; ${switched ? `generation ${to.generation} is live` : 'not switched'}`;
}

function known(name: string): string {
  if (READ_MODELS.some(projection => projection.name === name)) return name;
  throw new InvalidArgumentError('There is no projection of that name.');
}
