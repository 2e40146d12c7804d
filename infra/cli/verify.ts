import { Command } from 'commander';
import type { Config } from '../program/config';
import { openSeal } from '../program/seal';
import { checkpointOption } from '../verifier/checkpoint-option';
import { readCheckpoints } from '../verifier/evidence';
import { EXIT, Failed } from '../verifier/verdict';
import { placeLines } from '../verifier/place-lines';
import { verifyStore } from '../verifier/verify-store';
import { print } from './output';
import { progressOn } from './progress';
import { withEngines } from './with-engines';

export function verifyCommand(config: () => Config): Command {
  return new Command('verify')
    .description('hold the events of the ledger against everything that was sealed and signed of them')
    .addOption(checkpointOption())
    .addHelpText(
      'after',
      `\nExit codes: ${EXIT.equal} all is as it was sealed; ${EXIT.broken} an event differs, and which; ${EXIT.unsigned} a signature is bad; ${EXIT.missing} events are missing at the end.`,
    )
    .action(async ({ checkpoint }: { checkpoint: readonly string[] }, command: Command) => {
      const output = command.optsWithGlobals<{ json: boolean }>();
      const settings = config();
      try {
        const held = checkpoint.flatMap(readCheckpoints);
        const report = await withEngines(settings, async ({ engines, signal }) => {
          const progress = progressOn('events', output);
          return verifyStore({
            store: engines.store,
            seal: await openSeal(settings, engines, 0),
            held,
            signal,
            onProgress: (done, total) => progress.at(done, total),
          }).finally(() => progress.stop());
        });
        const { events, sealed, checkpoints, latest } = report;
        print(
          { outcome: 'equal', ...report },
          [
            `equal: ${events} events, ${sealed} of them sealed, ${checkpoints} checkpoints signed`,
            latest
              ? `the last one: ${latest.size} events, head ${latest.head}`
              : 'no checkpoint was signed yet',
          ],
          output,
        );
      } catch (error) {
        if (!(error instanceof Failed)) throw error;
        const { outcome, message, place } = error;
        process.exitCode = EXIT[outcome];
        print({ outcome, message, ...place }, [`${outcome}: ${message}`, ...placeLines(place)], output);
      }
    });
}
