import { open } from 'node:fs/promises';
import { Command } from 'commander';
import { createCalendar } from '../../contracts/calendar';
import { importFees, type FeeImportProgress } from '../../services/billing/fee/import';
import { createHandle } from '../../services/handle';
import type { Config } from '../program/settings';
import { asOperator } from './operator';
import { print } from './output';
import { createProgress } from './progress';

interface ImportFlags {
  readonly keepGoing: boolean;
}

export function feesCommand(config: () => Config): Command {
  return new Command('fees').description('the fee ledger').addCommand(
    new Command('import')
      .description('record fees from a file of JSON lines, each as POST /api/fees takes it; safe to repeat')
      .argument('<file>')
      .option('--keep-going', 'continue after a line that is invalid or refused', false)
      .action(async (file: string, { keepGoing }: ImportFlags, command: Command) => {
        const settings = config();
        const output = command.optsWithGlobals<{ json: boolean }>();
        const source = await open(file);
        const { size } = await source.stat();
        const counts = await asOperator(settings, command, {}, async ({ engines, signal }, operator) => {
          const progress = createProgress(file, output);
          let bytes = 0;
          const imported = await importFees(
            {
              store: engines.store,
              handle: createHandle({ store: engines.store }),
              instanceId: settings.INSTANCE_ID,
              calendar: createCalendar(settings.INSTANCE_TIME_ZONE),
            },
            {
              content: counted(source.createReadStream(), read => (bytes += read)),
              metadata: () => operator.metadata(),
              onProblem: keepGoing ? 'continue' : 'stop',
              report: (line, problem) => process.stderr.write(`${file}:${line}: ${problem}\n`),
              signal,
            },
            soFar => {
              operator.addSubject(inWords(soFar));
              progress.at(bytes, size);
            },
          ).finally(() => progress.stop());
          operator.addSubject(inWords(imported));
          return imported;
        });
        const { lines, recorded, unchanged, refused, malformed } = counts;
        print(
          counts,
          [
            `${lines} lines: ${recorded} recorded, ${unchanged} unchanged, ${refused} refused, ${malformed} malformed`,
          ],
          command,
        );
        if (refused + malformed > 0) process.exitCode = 1;
      }),
  );
}

const inWords = (counts: FeeImportProgress): Record<string, string> =>
  Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, String(count)]));

async function* counted(chunks: AsyncIterable<Buffer>, read: (bytes: number) => void): AsyncIterable<Buffer> {
  for await (const chunk of chunks) {
    read(chunk.length);
    yield chunk;
  }
}
