import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCheckpoint, readEvidence, readKeys } from '../../infra/verifier/evidence';
import { hashEvents } from '../../infra/verifier/hash-events';
import { EXIT_CODES, VerificationFailed } from '../../infra/verifier/outcome';
import { verifyMerchant } from '../../infra/verifier/verify-merchant';
import { verifyReport } from '../../infra/verifier/verify-report';
import { SEED } from '../random';
import { temporaryFolder } from '../temporary-folder';
import { answers, checkpoint, keys, ledger, merchant } from '../proofs/example-files';

/*
 * tidemark-verify and the verifier in second_verifier, which is in another language and follows contracts/ledger-tree/PROOFS.md,
 * must say the same of every file: that it is verified, or why not (section 9).
 */
export const folder = temporaryFolder();
let files = 0;
export function write(content: string | Buffer): string {
  const file = join(folder, String(files++));
  writeFileSync(file, content);
  return file;
}

export interface Case {
  readonly what: string;
  /** Of either program. */
  readonly arguments: readonly string[];
  /** The exit code of tidemark-verify. */
  readonly code: number;
  /** The event that breaks a rule, when one does. */
  readonly broken: Broken | null;
}

export interface Broken {
  readonly position: number;
  readonly stream: string;
  readonly rule: string;
}

export const original = {
  export: write(ledger),
  answers: answers.map(write),
  keys: write(keys),
  checkpoint: write(checkpoint),
  merchant: write(merchant),
};

async function verdictOf(verify: () => unknown): Promise<Pick<Case, 'code' | 'broken'>> {
  try {
    await verify();
    return { code: EXIT_CODES.verified, broken: null };
  } catch (error) {
    if (!(error instanceof VerificationFailed)) throw error;
    const { position, stream, rule } = error.location;
    const broken = rule === undefined ? null : { position: position!, stream: stream!, rule };
    return { code: EXIT_CODES[error.outcome], broken };
  }
}

interface Files {
  readonly export: string;
  readonly answer: string;
  readonly keys: string;
  readonly checkpoint: string;
}

export async function answerCase(what: string, changed: Partial<Files>): Promise<Case> {
  const given = { export: original.export, answer: original.answers[0]!, keys: original.keys, ...changed };
  const held = changed.checkpoint === undefined ? [] : ['--checkpoint', changed.checkpoint];
  const verdict = await verdictOf(() =>
    verifyReport({
      file: given.export,
      evidence: readEvidence(given.answer),
      keys: readKeys(given.keys),
      checkpoints: changed.checkpoint === undefined ? [] : [readCheckpoint(changed.checkpoint)],
      hash: hashEvents,
    }),
  );
  return { what, arguments: [given.export, given.answer, '--keys', given.keys, ...held], ...verdict };
}

export async function merchantCase(what: string, file: string): Promise<Case> {
  const verdict = await verdictOf(() =>
    verifyMerchant(file, { keys: readKeys(original.keys), checkpoints: [] }),
  );
  return { what, arguments: ['merchant', file, '--keys', original.keys], ...verdict };
}

/** What python3 prints. @throws Error when there is no python3 on the path, which these tests need */
export function python(parameters: readonly string[], input = ''): string {
  const { error, status, stdout, stderr } = spawnSync('python3', ['-B', ...parameters], {
    cwd: __dirname,
    input,
    encoding: 'utf8',
    env: { ...process.env, PYTHONIOENCODING: 'utf-8' },
    maxBuffer: 2 ** 28,
  });
  if (error) throw new Error(`these tests need python3 (3.9 or newer) on the path: ${error.message}`);
  if (status !== 0) throw new Error(`python3 ${parameters.join(' ')} ended with ${status}:\n${stderr}`);
  return `${stdout}${stderr}`;
}

interface SecondVerdict extends Pick<Case, 'code' | 'broken'> {
  readonly lines: readonly string[];
}

const BROKEN =
  / at position (?<position>\d+), in the stream (?<stream>.*), breaks the rule `(?<rule>\w+)` of \w+$/s;

function secondVerdicts(cases: readonly Case[]): SecondVerdict[] {
  const input = cases.map(each => `${JSON.stringify(each.arguments)}\n`).join('');
  return python(['-m', 'second_verifier.cases'], input)
    .trim()
    .split('\n')
    .map(line => {
      const { code, lines } = JSON.parse(line) as { code: number; lines: string[] };
      const found = BROKEN.exec(lines[0] ?? '')?.groups as Record<keyof Broken, string> | undefined;
      return { code, lines, broken: found ? { ...found, position: Number(found.position) } : null };
    });
}

export function expectAgreement(cases: readonly Case[]): void {
  const verdicts = secondVerdicts(cases);
  expect(verdicts).toHaveLength(cases.length);
  const disagreements = cases
    .map((each, n) => ({ ...each, second: verdicts[n]!, n }))
    .filter(
      ({ code, broken, second }) =>
        code !== second.code || JSON.stringify(sorted(broken)) !== JSON.stringify(sorted(second.broken)),
    );
  expect({ seed: SEED, disagreements }).toEqual({ seed: SEED, disagreements: [] });
}

const sorted = (broken: Broken | null): unknown[] | null =>
  broken && [broken.position, broken.stream, broken.rule];
