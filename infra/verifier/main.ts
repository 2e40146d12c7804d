#!/usr/bin/env node
import { Command } from 'commander';
import { progressOn } from '../cli/progress';
import { checkpointOption } from './checkpoint-option';
import { readCheckpoints, readEvidence, readKeys } from './evidence';
import { placeLines } from './place-lines';
import { EXIT, Failed } from './verdict';
import { verifyMerchant } from './verify-merchant';
import { verifyReport } from './verify-report';

const HELP = `
Exit codes: ${EXIT.equal} equal; ${EXIT.broken} the events are not those that were signed, and where they first differ;
${EXIT.unsigned} a signature is bad; ${EXIT.differs} the events give another answer; ${EXIT.missing} the history ends before something
that was signed; ${EXIT.unusable} the input cannot be used.

What is proven: the answer is what these events give, and these events are the ones that the holder of the key
signed, all of them, in this order. Not proven: that an event was true when it was recorded; that the keys are the
instance's own, unless you give --keys that you got from it on another way; that nothing was recorded beyond the
position of the proof; that the history was not rewritten and signed anew before the first checkpoint that somebody
else holds (keep one, and give it with --checkpoint). Texts about people are proven in their encrypted form only.
`;

interface Flags {
  readonly keys?: string;
  readonly checkpoint: readonly string[];
  readonly json: boolean;
}

const program = new Command('tidemark-verify')
  .description(
    'Verifies answers of the billing ledger by an export of it: needs neither a database nor a network.',
  )
  .option('--json', 'answer for programs instead of people', false)
  .option(
    '--keys <file>',
    'the public keys of the instance, as /.well-known/tidemark-ledger-keys.json gives them',
  )
  .addOption(checkpointOption())
  .addHelpText('after', HELP)
  .showHelpAfterError()
  .exitOverride(error => process.exit(error.exitCode === 0 ? 0 : EXIT.unusable));

program
  .command('report', { isDefault: true })
  .description('an answer, or its proof alone, by the export of the whole ledger (the default)')
  .argument('<export>', 'what `tidemark export` wrote')
  .argument('<proof>', 'the answer as it was served, with its `proof`')
  .action((file: string, proof: string) =>
    conclude(async flags => {
      const progress = progressOn('events', flags);
      const { events, proof: proven } = await verifyReport({
        file,
        evidence: readEvidence(proof),
        keys: flags.keys === undefined ? null : readKeys(flags.keys),
        held: flags.checkpoint.flatMap(readCheckpoints),
        onProgress: done => progress.at(done, Math.max(done, 1)),
      }).finally(() => progress.stop());
      return {
        result: {
          events,
          size: proven.size,
          position: proven.position,
          head: proven.head,
          keyId: proven.keyId,
        },
        lines: [
          `equal: ${String(proven.query['action'])} is what the first ${proven.size} of ${events} events give, up to position ${proven.position}`,
          signedBy(proven.keyId, flags),
        ],
      };
    }),
  );

program
  .command('merchant')
  .description("a merchant's own events, by what `tidemark proof merchant` wrote")
  .argument('<file>')
  .action((file: string) =>
    conclude(async flags => {
      const verified = verifyMerchant(file, {
        keys: flags.keys === undefined ? null : readKeys(flags.keys),
        held: flags.checkpoint.flatMap(readCheckpoints),
      });
      return {
        result: verified,
        lines: [
          `equal: ${verified.events} events of merchant ${verified.merchantId} are among the ${verified.size} that were signed`,
          signedBy(verified.keyId, flags),
        ],
      };
    }),
  );

const signedBy = (keyId: string, { keys }: Flags): string =>
  keys === undefined
    ? `signed by ${keyId}: give --keys to have it checked whose key that is`
    : `signed by ${keyId}`;

interface Conclusion {
  readonly result: object;
  readonly lines: readonly string[];
}

async function conclude(verify: (flags: Flags) => Promise<Conclusion>): Promise<void> {
  const flags = program.opts<Flags>();
  try {
    const { result, lines } = await verify(flags);
    say(flags, { outcome: 'equal', ...result }, lines);
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    const { outcome, message, place } = error;
    process.exitCode = EXIT[outcome];
    say(flags, { outcome, message, ...place }, [`${outcome}: ${message}`, ...placeLines(place)]);
  }
}

function say({ json }: Flags, result: object, lines: readonly string[]): void {
  process.stdout.write(json ? `${JSON.stringify(result)}\n` : lines.map(line => `${line}\n`).join(''));
}

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = EXIT.unusable;
});
