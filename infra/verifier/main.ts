#!/usr/bin/env node
import '../config/supported-node.js';
import { Command } from 'commander';
import type { Checkpoint } from '../../contracts/ledger-tree/checkpoint';
import { messageOf } from '../../contracts/text/error-message';
import { counted } from '../../contracts/text/counted';
import { printable } from '../config/printable';
import { withProgress } from '../config/progress';
import { checkpointOption, repeatable } from './checkpoint-option';
import { describeAnchor, type VerifiedAnchor } from './describe-anchor';
import { describeCompared, readCheckpoint, readEvidence, readKeys, type Keys } from './evidence';
import { describeLocation, EXIT_CODES, VerificationFailed } from './outcome';
import { verifyHistory, type VerifiedHistory } from './verify-history';
import { verifyMerchant } from './verify-merchant';
import { verifyReport, type VerifiedReport } from './verify-report';

const HELP = `
Exit codes: ${EXIT_CODES.verified} verified; ${EXIT_CODES.altered} the events are not the signed ones (the first difference is printed);
${EXIT_CODES.bad_signature} a signature is invalid; ${EXIT_CODES.wrong_answer} the events give a different answer; ${EXIT_CODES.truncated} the events end before a signed
tree head; ${EXIT_CODES.unusable} the input is unusable; ${EXIT_CODES.inconsistent} the events are the signed ones, but one breaks a rule of the
ledger (its position, its stream and the rule are printed); ${EXIT_CODES.bad_anchor} a file of --anchor does not prove
that the head of its checkpoint was sent in its transaction.

Proven: the answer follows from these events, and they are all the events that the holder of the key signed, in this
order. Up to the position of the proof, each fee is recorded once, its later events repeat what was recorded, and its
status changes only as that of a fee can; the same holds for invoices, settlements and rebates. \`merchant\` checks
fees as far as its file contains their events.

Not proven: that an event was true when it was recorded; that the keys belong to the instance, unless you give --keys
that you obtained from it through another channel; that nothing was recorded after the position of the proof; that the
events were not rewritten and signed again before the first checkpoint that somebody else holds (keep one, and pass it
with --checkpoint) or that a blockchain has (pass its file with --anchor, which says up to what it is proven). Personal
text is proven until it is erased; any that is not proven is named.
`;

interface Flags {
  readonly keys?: string;
  readonly checkpoint: readonly string[];
  readonly anchor: readonly string[];
  readonly anchorAccount?: string;
  readonly json: boolean;
}

const program = new Command('tidemark-verify')
  .description(
    'Verifies answers of the billing ledger with an export of it. Needs neither a database nor a network.',
  )
  .helpOption('-h, --help', 'print help')
  .helpCommand('help [command]', 'explain a command')
  .option('--json', 'print JSON', false)
  .option('--keys <file>', 'the public keys of the instance, from its /.well-known/tidemark-ledger-keys.json')
  .addOption(checkpointOption())
  .addOption(repeatable('--anchor <file>', 'output of `tidemark anchor export`; repeatable'))
  .option('--anchor-account <address>', 'the account that the instance anchors with; default: any')
  .addHelpText('after', HELP)
  .showHelpAfterError()
  .exitOverride(error => process.exit(error.exitCode === 0 ? 0 : EXIT_CODES.unusable));

program
  .command('report', { isDefault: true })
  .description(
    'verify an answer, or its proof alone, with an export of the whole ledger (the default); without either, that the export has the events of each --checkpoint and --anchor',
  )
  .argument('<export>', 'output of `tidemark export`')
  .argument('[proof]', 'the answer as it was served, with its `proof`')
  .action((file: string, proof: string | undefined) =>
    run(async (flags, anchors) => {
      const held = {
        keys: flags.keys === undefined ? null : readKeys(flags.keys),
        checkpoints: heldCheckpoints(flags, anchors),
      };
      if (proof === undefined) return historyResult(await historyOf(file, held, flags));
      const verified = await withProgress('bytes', flags, progress =>
        verifyReport({
          file,
          evidence: readEvidence(proof),
          ...held,
          onProgress: (done, total) => progress.at(done, total),
        }),
      );
      const { events, signed, texts, compared } = verified;
      const { size, position, head, keyId } = verified.proof;
      return {
        result: {
          events,
          size,
          position,
          head,
          keyId,
          signed,
          answerChecked: texts !== null,
          ...texts,
          compared,
        },
        lines: linesOf(verified, flags),
      };
    }),
  );

/** Those of anchors are held, too: the chain holds them. */
const heldCheckpoints = (flags: Flags, anchors: readonly VerifiedAnchor[]): readonly Checkpoint[] => [
  ...flags.checkpoint.map(readCheckpoint),
  ...anchors.map(({ checkpoint }) => checkpoint),
];

function historyOf(
  file: string,
  held: { readonly keys: Keys | null; readonly checkpoints: readonly Checkpoint[] },
  flags: Flags,
): Promise<VerifiedHistory> {
  if (held.checkpoints.length === 0)
    throw new VerificationFailed('unusable', 'give an answer, or --checkpoint or --anchor');
  return withProgress('bytes', flags, progress =>
    verifyHistory({ file, ...held, onProgress: (done, total) => progress.at(done, total) }),
  );
}

const historyResult = (verified: VerifiedHistory): Result => ({
  result: verified,
  lines: [
    `verified: the first ${verified.signed} of ${counted(verified.events, 'event')} of the instance ${verified.instance} are the signed ones`,
    ...unsignedLine(verified),
    ...verified.compared.map(describeCompared),
  ],
});

const unsignedLine = ({ events, signed }: Pick<VerifiedHistory, 'events' | 'signed'>): string[] =>
  events > signed
    ? [`not proven: the last ${counted(events - signed, 'event')}, which nothing signed covers`]
    : [];

function linesOf({ events, signed, proof, texts, compared }: VerifiedReport, { keys }: Flags): string[] {
  const { size, position, query, bodyDigest, keyId } = proof;
  const action = String(query['action']);
  const history = `the first ${size} of ${counted(events, 'event')}, up to position ${position}`;
  return [
    texts
      ? `verified: ${action} is the answer of ${history}`
      : `verified: the proof alone, without an answer; an answer to ${action} with the digest ${bodyDigest} is that of ${history}`,
    ...(texts?.unproven ?? []).map(pointer => `not proven: ${pointer}, to which no event commits`),
    ...(texts?.erased ?? []).map(pointer => `erased: ${pointer}`),
    ...unsignedLine({ events, signed }),
    `signed by ${keyId}${keys === undefined ? '; use --keys to check whose key that is' : ''}`,
    ...compared.map(describeCompared),
  ];
}

program
  .command('merchant')
  .description("verify a merchant's own events with the output of `tidemark proof merchant`")
  .argument('<file>')
  .action((file: string) =>
    run(async (flags, anchors) => {
      const verified = verifyMerchant(file, {
        keys: flags.keys === undefined ? null : readKeys(flags.keys),
        checkpoints: heldCheckpoints(flags, anchors),
      });
      return {
        result: verified,
        lines: [
          `verified: ${counted(verified.events, 'event')} of merchant ${verified.merchantId} among ${counted(verified.size, 'signed event')}`,
          'not proven: that the merchant has no other events',
          ...verified.compared.map(describeCompared),
        ],
      };
    }),
  );

interface Result {
  readonly result: object;
  readonly lines: readonly string[];
}

async function run(
  verify: (flags: Flags, anchors: readonly VerifiedAnchor[]) => Promise<Result>,
): Promise<void> {
  const flags = program.opts<Flags>();
  try {
    const anchors = await anchorsIn(flags);
    const { result, lines } = await verify(flags, anchors);
    print(flags, { outcome: 'verified', ...result, ...(anchors.length > 0 && { anchors }) }, [
      ...lines,
      ...anchors.flatMap(describeAnchor),
    ]);
  } catch (error) {
    const { outcome, message, location } =
      error instanceof VerificationFailed ? error : new VerificationFailed('unusable', messageOf(error));
    process.exitCode = EXIT_CODES[outcome];
    print(flags, { outcome, message, ...location }, [
      `${outcome}: ${message}`,
      ...describeLocation(location),
    ]);
  }
}

/** What reads cells is loaded only where there are some. */
async function anchorsIn({ anchor, anchorAccount }: Flags): Promise<readonly VerifiedAnchor[]> {
  if (anchor.length === 0 && anchorAccount === undefined) return [];
  if (anchor.length === 0) throw new VerificationFailed('unusable', '--anchor-account: there is no --anchor');
  return (await import('../verifier/verify-anchor.js')).verifyAnchors(anchor, anchorAccount);
}

function print({ json }: Flags, result: object, lines: readonly string[]): void {
  process.stdout.write(
    json ? `${JSON.stringify(result)}\n` : lines.map(line => `${printable(line)}\n`).join(''),
  );
}

void program.parseAsync();
