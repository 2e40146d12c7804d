import { Command } from 'commander';
import { openLedgerTree, type LedgerConfig } from '../program/ledger-tree';
import { checkpointOption } from '../verifier/checkpoint-option';
import { readCheckpoints } from '../verifier/evidence';
import { describeLocation, EXIT_CODES, VerificationFailed } from '../verifier/outcome';
import { verifyStore } from '../verifier/verify-store';
import { print } from './output';
import { createProgress } from './progress';
import { withEngines } from './with-engines';

export function verifyCommand(config: () => LedgerConfig): Command {
  return new Command('verify')
    .description('compare the events of the ledger with the ledger tree and every signed checkpoint')
    .addOption(checkpointOption())
    .addHelpText(
      'after',
      `\nExit codes: ${EXIT_CODES.verified} verified; ${EXIT_CODES.altered} an event was changed (its position is printed); ${EXIT_CODES.bad_signature} a signature is invalid; ${EXIT_CODES.truncated} events are missing at the end.`,
    )
    .action(async ({ checkpoint }: { checkpoint: readonly string[] }, command: Command) => {
      const output = command.optsWithGlobals<{ json: boolean }>();
      const settings = config();
      try {
        const held = checkpoint.flatMap(readCheckpoints);
        const report = await withEngines(settings, async ({ engines, signal }) => {
          const progress = createProgress('events', output);
          return verifyStore({
            store: engines.store,
            tree: await openLedgerTree(settings, engines, 0),
            checkpoints: held,
            signal,
            onProgress: (done, total) => progress.at(done, total),
          }).finally(() => progress.stop());
        });
        const { events, inTree, checkpoints, latest } = report;
        print(
          { outcome: 'verified', ...report },
          [
            `verified: ${events} events, ${inTree} of them in the ledger tree, ${checkpoints} signed checkpoints`,
            latest ? `latest: ${latest.size} events, head ${latest.head}` : 'no checkpoint yet',
          ],
          output,
        );
      } catch (error) {
        if (!(error instanceof VerificationFailed)) throw error;
        const { outcome, message, location } = error;
        process.exitCode = EXIT_CODES[outcome];
        print(
          { outcome, message, ...location },
          [`${outcome}: ${message}`, ...describeLocation(location)],
          output,
        );
      }
    });
}
