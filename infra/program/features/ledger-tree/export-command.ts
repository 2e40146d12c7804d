import { Command } from 'commander';
import { BEGINNING, type Position } from '../../../../contracts/position';
import { counted } from '../../../../contracts/text/counted';
import { BeyondHead } from '../../../../projections/as-of/port';
import { exportLedger } from '../../../../services/billing/export/ledger-export';
import type { Config } from '../../../config/settings';
import { untilPositionOption } from '../billing/as-of-options';
import { print } from '../../commands/output';
import { withProgress } from '../../../config/progress';
import { withEngines } from '../../commands/with-engines';
import { describeWritten, outputOption, writeOutput } from '../../commands/write-output';

interface ExportFlags {
  readonly output?: string;
  readonly untilPosition?: Position;
}

export function exportCommand(config: () => Config): Command {
  return new Command('export')
    .description(
      'write the events of the ledger as lines of JSON in canonical form (RFC 8785), interleaved with lines of digests; the same position always gives the same bytes',
    )
    .addOption(outputOption())
    .addOption(untilPositionOption())
    .action(async ({ output: file, untilPosition }: ExportFlags, command: Command) => {
      const output = command.optsWithGlobals<{ json: boolean }>();
      const report = await withEngines(config(), async ({ engines: { store }, signal }) => {
        const head = await store.head();
        const until = untilPosition ?? head;
        if (until > head && until > (await store.end())) throw new BeyondHead(head);
        let events = 0;
        let position = BEGINNING;
        const written = await withProgress('export', output, progress => {
          async function* text(): AsyncIterable<string> {
            for await (const part of exportLedger(store, until)) {
              yield part.text;
              events += part.events;
              position = part.position;
              progress.at(position + 1, until + 1);
            }
          }
          return writeOutput(text(), file, signal);
        });
        return { events, position, ...written };
      });
      if (file === undefined) return;
      const { events, position } = report;
      print(
        { output: file, ...report },
        [`${file}: ${counted(events, 'event')} up to position ${position}, ${describeWritten(report)}`],
        command,
      );
    });
}
