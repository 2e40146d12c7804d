import { spawnSync } from 'node:child_process';
import { createRequire, isBuiltin } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compiledPath } from '../../infra/engines/compiled-path';
import { openInstance } from '../billing/instance';
import { ledger, merchant } from '../proofs/example-files';
import { exportedLines, isEvent, positionIn, writeJson, writeLines } from '../proofs/exported-ledger';
import { signedAnswer } from '../proofs/test-key-signer';
import '../starts-programs';
import { temporaryFolder } from '../temporary-folder';

const EXAMPLE_KEYS = join(__dirname, '..', 'proofs', 'example', 'keys.json');
const PROGRAM = compiledPath('infra/verifier/main.ts');

let folder: string;
let lines: string[];
let files: { readonly ledger: string; readonly answer: string; readonly keys: string };

beforeAll(async () => {
  folder = temporaryFolder();
  const instance = await openInstance();
  try {
    await instance.record(Array.from({ length: 30 }, (_, n) => ({ id: `f${n}` })));
    const { body } = await instance.act({ action: 'get_revenue', proof: true });
    lines = await exportedLines(instance.store);
    files = {
      ledger: writeLines(join(folder, 'ledger.ndjson'), lines),
      answer: writeJson(join(folder, 'answer.json'), body as object),
      keys: writeJson(join(folder, 'keys.json'), instance.ledgerKeys.published()),
    };
  } finally {
    await instance.close();
  }
});

/** Runs in an empty folder and environment. */
function run(...args: string[]): { status: number | null; out: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd: folder,
    env: {},
    encoding: 'utf8',
  });
  return { status, out: stdout + stderr };
}

describe('tidemark-verify', () => {
  it('exits with 0 when all is verified, and prints the key', () => {
    const { status, out } = run(files.ledger, files.answer, '--keys', files.keys);
    expect(out).toMatch(
      /^verified: get_revenue is the answer of the first 30 of 30 events, up to position \d+\nsigned by /,
    );
    expect(status).toBe(0);
    expect(run(files.ledger, files.answer).out).toContain('use --keys to check whose key that is');
  });

  it('exits with 2 and the first position when an event was changed', () => {
    const event = lines.filter(isEvent)[11]!;
    const altered = lines.map(line => (line === event ? line.replace('1.50', '7.50') : line));
    const ledger = writeLines(join(folder, 'altered.ndjson'), altered);
    const { status, out } = run(ledger, files.answer, '--keys', files.keys);
    expect(out).toContain(`the events first differ at position ${positionIn(event)}, line 12 of the export`);
    expect(status).toBe(2);
    const printed = JSON.parse(run('--json', ledger, files.answer, '--keys', files.keys).out) as object;
    expect(printed).toMatchObject({ outcome: 'altered', position: positionIn(event), line: 12 });
  });

  it('names no position before the first one', () => {
    const first = lines.findIndex(isEvent);
    const changed = lines[first]!.replace('1.50', '7.50');
    const ledger = writeLines(join(folder, 'first.ndjson'), [changed, ...lines.filter(isEvent).slice(1)]);
    const { status, out } = run(ledger, files.answer);
    expect(out).toMatch(/^altered: .*\nthe events first differ at or before position \d+\n/);
    expect(status).toBe(2);
    const unreadable = writeLines(join(folder, 'unreadable.ndjson'), [
      '{"created":',
      ...Array<string>(40).fill('{}'),
    ]);
    expect(run(unreadable, files.answer).out).toContain('the events first differ from the first one on\n');
  });

  it('exits with 3, 4, 5 and 6 as documented in its help', () => {
    const answer = (from: string, to: string): string => {
      const file = join(folder, 'other.json');
      writeFileSync(file, readFileSync(files.answer, 'utf8').replace(from, to));
      return file;
    };
    const short = writeLines(join(folder, 'short.ndjson'), lines.filter(isEvent).slice(0, -2));
    expect(run(files.ledger, answer('"timeZone":"UTC"', '"timeZone":"CET"')).status).toBe(3);
    expect(run(files.ledger, answer('"count":30', '"count":31')).status).toBe(4);
    expect(run(short, files.answer).status).toBe(5);
    expect(run(files.ledger, files.keys).status).toBe(6);
    expect(run(files.ledger).status).toBe(6);
    expect(run(join(folder, 'none'), files.answer).status).toBe(6);
    expect(run(files.keys, files.answer)).toEqual({
      status: 6,
      out: `unusable: ${files.keys}: line 1 is no event of an export\n`,
    });
    const help = run('--help');
    expect(help.status).toBe(0);
    for (const text of ['Not proven', '0 verified', '6 the input', '7 the events are'])
      expect(help.out).toContain(text);
  });

  it('exits with 7 when the events are the signed ones and break a rule, and names the event', async () => {
    const events = ledger.split('\n').filter(isEvent);
    const collected = events.findIndex(line => line.includes('"FeeCollected"'));
    const other = events.with(collected, events[collected]!.replace('"1.50"', '"2.50"'));
    const file = writeLines(join(folder, 'inconsistent.ndjson'), other);
    const signed = await signedAnswer(other, { action: 'get_revenue' }, {}, {});
    const answer = writeJson(join(folder, 'signed.json'), signed as object);
    const { status, out } = run(file, answer, '--keys', EXAMPLE_KEYS);
    expect(out).toContain(
      'inconsistent: the FeeCollected at position 9, in the stream fee-f-5, breaks the rule `members` of fees\n',
    );
    expect(status).toBe(7);
    expect(JSON.parse(run('--json', file, answer).out)).toMatchObject({
      outcome: 'inconsistent',
      position: 9,
      stream: 'fee-f-5',
      rule: 'members',
    });
  });

  it('says what was not checked', () => {
    const { proof } = JSON.parse(readFileSync(files.answer, 'utf8')) as { proof: object };
    const alone = writeJson(join(folder, 'proof.json'), proof);
    expect(run(files.ledger, alone).out).toContain('verified: the proof alone, without an answer');
    expect(JSON.parse(run('--json', files.ledger, alone).out)).toMatchObject({
      answerChecked: false,
      signed: 30,
    });
    const later = writeLines(join(folder, 'later.ndjson'), [
      ...lines.filter(isEvent),
      lines[29]!.replace(/"position":\d+/, '"position":999999'),
    ]);
    expect(run(later, files.answer).out).toContain('not proven: the last 1 event,');
  });

  it('ends with 6 and one line for what cannot be read, whatever it is', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const write = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const answer = readFileSync(files.answer, 'utf8');
    const long = write('long.ndjson', `${lines[0]}\n{"a":"${'x'.repeat(70 * 2 ** 20)}"}\n${lines[1]}\n`);
    for (const [args, message] of [
      [[files.ledger, write('deep.json', `{"a":${deep},${answer.slice(1)}`)], 'deeper than 64'],
      [[files.ledger, write('twice.json', `{"summary":[],${answer.slice(1)}`)], '"summary" is there twice'],
      [[files.ledger, files.answer, '--keys', write('deep-keys.json', deep)], 'deeper than 64'],
      [['merchant', write('merchant.json', deep), '--keys', files.keys], 'deeper than 64'],
      [['--json', long, files.answer], 'line 2 is too long'],
    ] as const) {
      const { status, out } = run(...args);
      expect(out).toMatch(/^(unusable: .+|\{"outcome":"unusable".+)\n$/);
      expect(out).toContain(message);
      expect(status).toBe(6);
    }
  });

  it('ends with 6 for an export that is no regular file, and for a file without an end', () => {
    for (const args of [
      ['/dev/zero', files.answer],
      [folder, files.answer],
      [files.ledger, '/dev/zero'],
      [files.ledger, files.answer, '--keys', '/dev/zero'],
      [files.ledger, files.answer, '--checkpoint', '/dev/zero'],
      ['merchant', '/dev/zero', '--keys', files.keys],
    ]) {
      const { status, out } = run(...args);
      expect(out).toMatch(/^unusable: .+: (not a regular file|it has more than \d+ bytes)\n$/);
      expect(status).toBe(6);
    }
  });

  it('reads an answer from a pipe', () => {
    const command = 'cat "$1" | "$2" "$3" "$4" /dev/stdin';
    const parameters = ['-c', command, 'sh', files.answer, process.execPath, PROGRAM, files.ledger];
    const { status, stdout } = spawnSync('sh', parameters, { encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, expect.stringContaining('verified: get_revenue')]);
  });

  it('prints what a file says without its line ends and control characters', () => {
    const proof = JSON.parse(merchant) as { events: unknown[]; merchantId: string };
    const merchantId = 'm-2\nverified: all\u001b[2J\u202e\u2028';
    const file = writeJson(join(folder, 'merchant-id.json'), { ...proof, merchantId, events: [] });
    const { status, out } = run('merchant', file, '--keys', EXAMPLE_KEYS);
    expect(out).toContain('of merchant m-2\\u{a}verified: all\\u{1b}[2J\\u{202e}\\u{2028} among');
    expect(out).not.toMatch(/^verified: all/m);
    expect(status).toBe(0);
  });

  /** What a file of the verifier requires, however indirectly. */
  function packagesOf(...roots: readonly string[]): string[] {
    const files = new Set<string>();
    const packages = new Set<string>();
    const visit = (file: string): void => {
      if (files.has(file)) return;
      files.add(file);
      for (const [, name] of readFileSync(file, 'utf8').matchAll(/\brequire\("([^"]+)"\)/g))
        if (name!.startsWith('.')) visit(createRequire(file).resolve(name!));
        else if (!isBuiltin(name!)) packages.add(name!);
    };
    for (const root of roots) visit(compiledPath(`infra/verifier/${root}.ts`));
    expect(files.size).toBeGreaterThan(20);
    return [...packages].sort();
  }

  it('loads no database, server or client library, and what reads cells for anchors alone', () => {
    const reports = packagesOf('verify-report', 'verify-merchant', 'verify-history');
    expect(reports).toEqual(['csv-stringify/sync', 'lru-cache', 'uuid', 'zod']);
    expect(packagesOf('verify-anchor')).toEqual(['@ton/core', 'bs58', 'lru-cache', 'zod']);
  });
});
