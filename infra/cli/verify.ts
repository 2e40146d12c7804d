import { Command } from 'commander';
import { DamagedData } from '../../contracts/damaged-data';
import { embeddedFiles } from '../engines/engines';
import { checkDatabase } from '../engines/sqlite/check-database';
import { openLedgerTree, type LedgerConfig } from '../program/ledger-tree';
import type { Config } from '../program/settings';
import { checkpointOption } from '../verifier/checkpoint-option';
import { readCheckpoint } from '../verifier/evidence';
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
      `\nExit codes: ${EXIT_CODES.verified} verified; ${EXIT_CODES.altered} an event was changed (its position is printed), or a database file is damaged; ${EXIT_CODES.bad_signature} a signature is invalid; ${EXIT_CODES.truncated} events are missing at the end.`,
    )
    .action(async ({ checkpoint }: { checkpoint: readonly string[] }, command: Command) => {
      const output = command.optsWithGlobals<{ json: boolean }>();
      const settings = config();
      try {
        const held = checkpoint.map(readCheckpoint);
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
        checkFiles(settings);
        const { events, inTree, checkpoints, latest } = report;
        print(
          { outcome: 'verified', ...report },
          [
            `verified: ${events} events, ${inTree} of them in the ledger tree, ${checkpoints} signed checkpoints`,
            latest ? `latest: ${latest.size} events, head ${latest.head}` : 'no checkpoint yet',
          ],
          command,
        );
      } catch (error) {
        const { outcome, message, location } = failureOf(error);
        process.exitCode = EXIT_CODES[outcome];
        print(
          { outcome, message, ...location },
          [`${outcome}: ${message}`, ...describeLocation(location)],
          command,
        );
      }
    });
}

/** @throws the error, unless it is a result of the verification */
function failureOf(error: unknown): VerificationFailed {
  if (error instanceof VerificationFailed) return error;
  if (!(error instanceof DamagedData)) throw error;
  const { message, position } = error;
  return new VerificationFailed('altered', message, position === null ? {} : { position });
}

/** What reading the ledger does not show: the structure of the embedded databases, and their indexes. */
function checkFiles(config: Config): void {
  for (const file of embeddedFiles(config)) {
    const [fault] = checkDatabase(file);
    if (fault !== undefined) throw new VerificationFailed('altered', `${file} is damaged: ${fault}`);
  }
}
