import { Command, InvalidArgumentError } from 'commander';
import type { RebuildReport } from '../../projections/engine/rebuild';
import type { Config } from '../program/settings';
import { PROJECTIONS } from '../program/features';
import { print } from './output';
import { createProgress } from './progress';
import { withProjections } from './with-engines';

interface RebuildFlags {
  readonly all: boolean;
  readonly verify: boolean;
}

export function rebuildCommand(config: () => Config): Command {
  return new Command('rebuild')
    .description('rebuild a projection beside the live one, compare, and switch')
    .argument('[name]', `one of ${PROJECTIONS.map(({ name }) => name).join(', ')}`, known)
    .option('--all', 'every projection, one after the other', false)
    .option('--verify', 'only compare, without switching', false)
    .action(async (name: string | undefined, { all, verify }: RebuildFlags, command: Command) => {
      const names = all ? PROJECTIONS.map(projection => projection.name) : name === undefined ? [] : [name];
      if (names.length === 0) throw new InvalidArgumentError('Name a projection, or use --all.');
      const output = command.optsWithGlobals<{ json: boolean }>();
      const reports = await withProjections(config(), PROJECTIONS, async ({ engine, signal }) => {
        const done: RebuildReport[] = [];
        for (const each of names) {
          const progress = createProgress(each, output);
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
  comparison !== null && comparison.different + comparison.inconclusive > 0;

function line({ projection, to, comparison, switched }: RebuildReport): string {
  const verdict = comparison
    ? `${comparison.documents} documents, ${comparison.different + comparison.inconclusive} different`
    : 'nothing to compare';
  return `${projection}: ${verdict}; ${switched ? `generation ${to.generation} is live` : 'not switched'}`;
}

function known(name: string): string {
  if (PROJECTIONS.some(projection => projection.name === name)) return name;
  throw new InvalidArgumentError('There is no projection of that name.');
}
