import { counted } from '../../contracts/text/counted';
import type { Config } from '../config/settings';
import { Command, Option } from 'commander';
import { claimDataDir } from '../engines/data-dir-claim';
import { assertDistributed, openEmbeddedEngines, openEngines } from '../engines/engines';
import { createLogger } from '../config/logger';
import { assertEmbeddedData } from '../program/commands/existing-data';
import { assertIdentity } from '../program/identity';
import { migrate } from './migrate/migrate';
import { signMigratedCheckpoint } from './migrate/ledger-checkpoint';
import { openLedgerKeysFile } from '../program/features/ledger-tree/ledger-tree';
import { print, table } from '../program/commands/output';
import { createProgress, type Progress } from '../config/progress';
import { untilInterrupted } from '../program/commands/with-engines';

type EngineKind = 'embedded' | 'distributed';
const ENGINE_KINDS: readonly EngineKind[] = ['embedded', 'distributed'];

interface MigrateFlags {
  readonly from: EngineKind;
  readonly to: EngineKind;
}

export function migrateCommand(config: () => Config): Command {
  return new Command('migrate')
    .description(
      'copy the events, the log and the state of the indexers to other engines, and compare; nothing else may run meanwhile',
    )
    .addOption(
      new Option('--from <engines>', 'embedded: those in DATA_DIR; distributed: those of the URLs')
        .choices(ENGINE_KINDS)
        .makeOptionMandatory(),
    )
    .addOption(new Option('--to <engines>', 'the others').choices(ENGINE_KINDS).makeOptionMandatory())
    .addHelpText('after', '\nExit codes: 0 both sides are equal; 1 failure; 2 they differ.')
    .action(async ({ from, to }: MigrateFlags, command: Command) => {
      if (from === to) command.error(`error: --from and --to are both ${from}`);
      const settings = config();
      const output = command.optsWithGlobals<{ json: boolean }>();
      assertDistributed(settings, ': they name the servers to copy to or from');
      if (from === 'embedded') assertEmbeddedData(settings);
      const release = claimDataDir(settings.DATA_DIR);
      const embedded = openEmbeddedEngines(settings);
      const distributed = await openEngines(settings, createLogger('warn'));
      const sides = { embedded, distributed };
      const bars = new Map<string, Progress>();
      const keys = await openLedgerKeysFile(settings);
      const report = await untilInterrupted(async signal => {
        await assertIdentity(settings, sides[from].store);
        const moved = await migrate(sides[from], sides[to], {
          signal,
          onProgress(step, done, total) {
            if (!bars.has(step)) bars.forEach(bar => bar.complete());
            const bar = bars.get(step) ?? createProgress(step, output);
            bars.set(step, bar);
            bar.at(done, total);
          },
        });
        bars.forEach(bar => bar.complete());
        if (moved.equal)
          await signMigratedCheckpoint({
            from: sides[from].store,
            to: sides[to].store,
            instanceId: settings.INSTANCE_ID,
            keys,
            at: new Date().toISOString(),
          });
        return moved;
      }).finally(async () => {
        bars.forEach(bar => bar.stop());
        await Promise.all([embedded.close(), distributed.close()]);
        release();
      });
      print(
        report,
        [
          ...table([
            ['COPIED', 'FROM', 'TO', 'EQUAL', 'SHA-256'],
            ...report.compared.map(({ name, from, to, equal }) => [
              name,
              String(from.count),
              String(to.count),
              equal ? 'yes' : 'NO',
              equal ? from.sha256 : `${from.sha256} / ${to.sha256}`,
            ]),
          ]),
          '',
          `${counted(report.indexers, 'document')} of indexers, the keys of the texts of ${counted(report.subjects, 'person', 'people')}. The first program there builds the projections.`,
        ],
        command,
      );
      if (!report.equal) process.exitCode = 2;
    });
}
