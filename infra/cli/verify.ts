import { Command } from 'commander';
import { DamagedData } from '../../contracts/engine/damaged-data';
import { BEGINNING } from '../../contracts/position';
import { counted } from '../../contracts/text/counted';
import type { ComparedEvents } from '../../projections/engine/missing-events';
import { embeddedFiles } from '../engines/engines';
import { checkDatabase } from '../engines/sqlite/check-database';
import { PROJECTIONS } from '../program/features';
import { openLedgerTree } from '../program/features/ledger-tree/ledger-tree';
import type { Config } from '../config/settings';
import { checkpointOption } from '../verifier/checkpoint-option';
import { readCheckpoint } from '../verifier/evidence';
import { describeLocation, EXIT_CODES, VerificationFailed } from '../verifier/outcome';
import { verifyStore, type VerifiedStore } from '../verifier/verify-store';
import { print } from '../program/commands/output';
import { withProgress } from '../config/progress';
import { withProjections } from '../program/commands/with-engines';

export function verifyCommand(config: () => Config): Command {
  return new Command('verify')
    .description(
      'compare the events of the ledger with the ledger tree and every signed checkpoint, and the number of events that each projection has folded',
    )
    .addOption(checkpointOption())
    .addHelpText(
      'after',
      `
Exit codes:
  ${EXIT_CODES.verified}  verified
  1  failure: nothing was found out
  ${EXIT_CODES.altered}  an event was changed (its position is printed), or a database file is
     damaged
  ${EXIT_CODES.bad_signature}  a signature is invalid
  ${EXIT_CODES.wrong_answer}  a projection lacks events
  ${EXIT_CODES.truncated}  events are missing at the end
  ${EXIT_CODES.unusable}  a file of --checkpoint, or an event, cannot be read`,
    )
    .action(async ({ checkpoint }: { checkpoint: readonly string[] }, command: Command) => {
      const output = command.optsWithGlobals<{ json: boolean }>();
      const settings = config();
      try {
        const held = checkpoint.map(readCheckpoint);
        const { report, projections } = await withProjections(
          settings,
          PROJECTIONS,
          async ({ engines, engine, signal }) => {
            const tree = await openLedgerTree(settings, engines, 0);
            const report = await withProgress('events', output, progress =>
              verifyStore({
                store: engines.store,
                tree,
                checkpoints: held,
                signal,
                onProgress: (done, total) => progress.at(done, total),
              }),
            );
            const projections = await withProgress('projections', output, progress =>
              engine.compareEvents(signal, (done, total) => progress.at(done, total)),
            );
            return { report, projections };
          },
        );
        checkFiles(settings);
        const incomplete = projections.filter(({ missing }) => missing > 0);
        const outcome = incomplete.length > 0 ? 'wrong_answer' : 'verified';
        process.exitCode = EXIT_CODES[outcome] || process.exitCode;
        print(
          { outcome, ...report, projections },
          [...ledgerLines(report), ...describeProjections(projections)],
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

/** What was verified, and how far it is signed. */
export function ledgerLines({ events, inTree, checkpoints, latest }: VerifiedStore): string[] {
  const unsigned = events - (latest?.size ?? 0);
  return [
    `verified: ${counted(events, 'event')}, ${inTree} of them in the ledger tree, ${counted(checkpoints, 'signed checkpoint')}`,
    latest ? `latest checkpoint: ${counted(latest.size, 'event')}, head ${latest.head}` : 'no checkpoint yet',
    ...(unsigned > 0
      ? [`not signed yet: ${counted(unsigned, 'event')}, which the next checkpoint covers`]
      : []),
  ];
}

function describeProjections(projections: readonly ComparedEvents[]): string[] {
  const whole = projections.filter(({ after }) => after === BEGINNING);
  const later = projections.filter(({ after }) => after !== BEGINNING);
  return [
    `projections: ${whole.length} compared with all events of their categories`,
    ...later.map(
      ({ projection, after }) =>
        `${projection}: compared after position ${after}, what it had folded before was not counted; \`tidemark rebuild ${projection}\` counts all`,
    ),
    ...projections
      .filter(({ missing }) => missing > 0)
      .map(
        ({ projection, missing, events, upTo }) =>
          `wrong_answer: ${projection} has folded ${counted(events, 'event')} up to position ${upTo} and lacks ${missing}; build it again with \`tidemark rebuild ${projection}\``,
      ),
  ];
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
