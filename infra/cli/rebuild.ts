import { counted } from '../../contracts/text/counted';
import { Command } from 'commander';
import type { Comparison } from '../../projections/engine/compare';
import type { ProjectionEngine } from '../../projections/engine/engine';
import type { RebuildReport } from '../../projections/engine/rebuild';
import { resetLedgerTree } from '../../services/ledger-tree/tiles';
import { lowerReactions, reactionProgress } from '../../services/reactions/progress';
import { isDistributed } from '../engines/engines';
import { claimDataDir } from '../engines/data-dir-claim';
import { reactionsOf } from '../program/feature-set';
import { FEATURES, PROJECTIONS } from '../program/features';
import { createLossDetector } from '../program/loss/lost-data';
import type { Config } from '../config/settings';
import { asOperator } from '../program/commands/operator';
import { print } from '../program/commands/output';
import { withProgress } from '../config/progress';
import { projectionEngine, withProjections, type Tools } from '../program/commands/with-engines';

interface RebuildFlags {
  readonly all: boolean;
  readonly verify: boolean;
  readonly acceptLoss: boolean;
}

export function rebuildCommand(config: () => Config): Command {
  return new Command('rebuild')
    .description('rebuild a projection next to the live one, compare both and switch; reads never stop')
    .argument('[name]', `one of ${PROJECTIONS.map(({ name }) => name).join(', ')}`)
    .option('--all', 'every projection, one after another', false)
    .option('--verify', 'only compare, without switching', false)
    .option(
      '--accept-loss',
      'with --all, while nothing else runs: rebuild even though the event store or the log has lost data, and discard what only the documents still hold',
      false,
    )
    .addHelpText('after', '\nExit codes: 0 success; 1 failure; with --verify, 2 where documents differ.')
    .action(async (name: string | undefined, flags: RebuildFlags, command: Command) => {
      const { all, verify, acceptLoss } = flags;
      const names = all ? PROJECTIONS.map(projection => projection.name) : name === undefined ? [] : [name];
      if (name !== undefined && !PROJECTIONS.some(projection => projection.name === name))
        command.error(`error: there is no projection ${name}; tidemark rebuild --help lists them`);
      if (names.length === 0) command.error('error: name a projection, or use --all');
      if (all && name !== undefined) command.error(`error: ${name} and --all exclude each other`);
      if (acceptLoss && !all) command.error('error: --accept-loss requires --all');
      if (acceptLoss && verify) command.error('error: --accept-loss and --verify exclude each other');
      const output = command.optsWithGlobals<{ json: boolean }>();
      const settings = config();
      const rebuildAll = async ({ engine, signal }: Tools & { readonly engine: ProjectionEngine }) => {
        const done: RebuildReport[] = [];
        for (const each of names) {
          const report = await withProgress(each, output, progress =>
            engine.rebuild(each, {
              signal,
              switchWhen: verify ? 'never' : 'always',
              onProgress: ({ done: inputs, total }) => progress.at(inputs, total),
            }),
          );
          done.push(report);
        }
        return done;
      };
      const reports = acceptLoss
        ? await acceptingLoss(settings, command, rebuildAll)
        : await withProjections(settings, PROJECTIONS, async tools => {
            const behind = await detectLoss(settings, tools);
            if (behind) throw behind;
            return rebuildAll(tools);
          });
      print(reports, reports.map(line), command);
      if (verify && reports.some(differs)) process.exitCode = 2;
    });
}

function detectLoss(config: Config, { engines, engine }: Tools & { readonly engine: ProjectionEngine }) {
  return createLossDetector(engines, async () => [
    ...(await engine.progress()),
    ...(await reactionProgress(engines, reactionsOf(FEATURES, config, engines))),
  ])();
}

/** Makes everything that is derived follow from what the event store and the log still have. Recorded in the audit trail. */
async function acceptingLoss<Result>(
  config: Config,
  command: Command,
  rebuildAll: (tools: Tools & { readonly engine: ProjectionEngine }) => Promise<Result>,
): Promise<Result> {
  const release = isDistributed(config) ? () => undefined : claimDataDir(config.DATA_DIR);
  try {
    return await asOperator(
      config,
      command,
      { lossAccepted: 'true' },
      async tools => {
        const { engines } = tools;
        await resetLedgerTree(engines.documents);
        await lowerReactions(engines, reactionsOf(FEATURES, config, engines));
        return rebuildAll({ ...tools, engine: projectionEngine(PROJECTIONS, tools) });
      },
      { despiteLoss: true },
    );
  } finally {
    release();
  }
}

const differs = ({ comparison }: RebuildReport): boolean =>
  comparison !== null && comparison.different + comparison.inconclusive > 0;

function line({ projection, to, comparison, switched }: RebuildReport): string {
  const verdict = comparison ? compared(comparison) : 'nothing to compare';
  return `${projection}: ${verdict}; ${switched ? `generation ${to.generation} is live` : 'not switched'}`;
}

const compared = ({ documents, different, inconclusive }: Comparison): string =>
  `${counted(documents, 'document')}, ${different} different${inconclusive > 0 ? `, ${inconclusive} inconclusive` : ''}`;
