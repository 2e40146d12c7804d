import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { auditStream } from '../../../contracts/events/audit';
import { merchantStream } from '../../../contracts/events/merchant';
import { readAuditTrail, type AuditLine } from '../../../services/audit/read';
import { fee } from '../../../test/billing/instance';
import { commandLine } from '../../../test/command-line';
import { openPersonalTexts } from '../personal-texts';
import { auditCommand } from '../features/billing/audit-command';
import { eraseCommand, erasuresCommand } from '../features/erasure/erase-command';
import { feesCommand } from '../features/billing/fees-command';
import { keysCommand } from '../features/ledger-tree/keys-command';
import { merchantsCommand } from '../features/billing/merchants-command';
import { asOperator } from './operator';
import { rebatesCommand } from '../features/billing/rebates-command';
import { settlementsCommand } from '../features/billing/settlements-command';
import { withEngines } from './with-engines';

const { DATA_DIR, config, run } = commandLine(
  auditCommand,
  eraseCommand,
  erasuresCommand,
  feesCommand,
  keysCommand,
  merchantsCommand,
  rebatesCommand,
  settlementsCommand,
);
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const trail = (): Promise<AuditLine[]> =>
  withEngines(config(), async ({ engines }) => {
    const texts = await openPersonalTexts(config(), engines);
    const lines: AuditLine[] = [];
    for await (const line of readAuditTrail({ store: engines.store, texts }, 'local', {})) lines.push(line);
    return lines;
  });
const last = async () => (await trail()).at(-1)!;

beforeEach(() => {
  jest.spyOn(os, 'userInfo').mockReturnValue({ ...os.userInfo(), username: 'ann' });
});

test('each command that changes something is one line of the audit trail, with its actor and outcome', async () => {
  await run('merchants', 'set', 'm-1', '--name', 'Ann', '--slug', 'ann');
  expect(await trail()).toEqual([
    {
      kind: 'command',
      at: expect.any(String),
      requestId: expect.any(String),
      action: 'merchants set',
      actor: 'cli:ann',
      about: { merchantId: 'm-1' },
      outcome: 'ok',
      code: null,
    },
  ]);
  await run('rebates', 'rule', 'set', '--tier', '0:0.01');
  expect(await last()).toMatchObject({
    action: 'rebates rule set',
    about: { version: '1', changed: 'true' },
  });
  const { keys } = JSON.parse(await run('--json', 'keys', 'rotate')) as { keys: { kid: string }[] };
  expect(await last()).toMatchObject({ action: 'keys rotate', about: { keyId: keys[0]!.kid } });
  await expect(run('settlements', 'void', UNKNOWN, '--reason', 'Zebedee')).rejects.toThrow();
  expect(await last()).toMatchObject({
    action: 'settlements void',
    about: { settlementId: UNKNOWN },
    outcome: 'refused',
    code: 'settlement_not_found',
  });
  expect(await run('audit')).not.toContain('Zebedee');
  expect((await trail()).map(({ action }) => action)).toEqual([
    'merchants set',
    'rebates rule set',
    'keys rotate',
    'settlements void',
  ]);
});

test('so is a refusal, which is printed as one sentence', async () => {
  await expect(run('merchants', 'set', 'm-2', '--name', 'Bob', '--slug', 'ann')).rejects.toThrow('m-1');
  expect(await last()).toMatchObject({ outcome: 'refused', code: 'merchant_slug_taken' });
  expect(await run('audit', '--actor', 'cli:ann', '--action', 'merchants set')).toMatch(
    /^AT +OUTCOME +ACTION +BY +FROM .*\n(.*\n)*\d{4}-\S+ +refused merchant_slug_taken +merchants set +cli:ann +merchantId=m-2 +\S+\n$/,
  );
  expect(await run('audit', '--actor', 'cli:bob')).toBe('no actions\n');
  await expect(run('audit', '--from', '2026-11-24', '--to', '2026-11-23')).rejects.toThrow('--from');
});

test('an erasure is in the audit trail, also when there was nothing to erase', async () => {
  const settings = config();
  await withEngines(settings, async ({ engines }) => {
    await (await openPersonalTexts(settings, engines)).encrypt('eve', 'a text');
  });
  for (const result of ['erased', 'erased_before']) {
    await run('erase', 'eve', '--yes');
    expect(await last()).toMatchObject({
      action: 'erase',
      actor: 'cli:ann',
      about: { subject: 'eve', result },
    });
  }
  await expect(run('erase', 'nobody', '--yes')).rejects.toThrow('none was erased');
  expect(await last()).toMatchObject({
    about: { subject: 'nobody', result: 'nothing_to_erase' },
    outcome: 'refused',
  });
  expect(await run('erasures')).toMatch(/^AT +SUBJECT +TIMES +BY\n\S+ +eve +1 +cli:ann\n$/);
});

test('an import of fees is one line with counts', async () => {
  const file = join(DATA_DIR, 'fees.ndjson');
  writeFileSync(
    file,
    ['a', 'b', 'c'].map(id => `${JSON.stringify(fee({ id }))}\n`).join('') + '{"id":"d"}\n',
  );
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const before = (await trail()).length;
  await run('fees', 'import', file, '--keep-going');
  process.exitCode = undefined;
  const lines = await trail();
  expect(lines).toHaveLength(before + 1);
  expect(lines.at(-1)).toMatchObject({
    action: 'fees import',
    about: { lines: '4', recorded: '3', unchanged: '0', refused: '0', malformed: '1' },
    outcome: 'ok',
  });
});

test('an import of which nothing was recorded is refused', async () => {
  const file = join(DATA_DIR, 'refused.ndjson');
  writeFileSync(file, `${JSON.stringify({ action: 'collect', id: 'nosuch' })}\n`);
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  await run('fees', 'import', file);
  process.exitCode = undefined;
  expect(await last()).toMatchObject({
    action: 'fees import',
    about: { lines: '1', recorded: '0', refused: '1' },
    outcome: 'refused',
  });
  writeFileSync(file, `${JSON.stringify(fee({ id: 'a' }))}\n`);
  await run('fees', 'import', file);
  expect(await last()).toMatchObject({ about: { recorded: '0', unchanged: '1' }, outcome: 'ok' });
});

test('events have the user, the command and the request id of the audit line', async () => {
  await run('merchants', 'set', 'm-3', '--name', 'Cleo', '--slug', 'cleo');
  const line = await last();
  if (line.kind !== 'command') throw new Error(`a line of ${line.kind}`);
  await withEngines(config(), async ({ engines }) => {
    const events = [];
    for await (const event of engines.store.readStream(merchantStream('m-3'))) events.push(event);
    expect(events).toMatchObject([
      {
        data: { by: 'cli:ann' },
        metadata: { actor: 'cli:ann', action: 'merchants set', requestId: line.requestId },
      },
    ]);
  });
});

test('nothing is printed before the audit line, and a failure is recorded as one', async () => {
  const program = merchantsCommand(config).commands[0]!;
  const attempt = (fault: Error | null, audited: boolean) =>
    asOperator(config(), program, {}, ({ engines }, { addSubject }) => {
      if (!audited)
        jest
          .spyOn(engines.store, 'append')
          .mockImplementation(stream =>
            Promise.reject(new Error(stream.startsWith(auditStream('local', '')) ? 'disk full' : 'other')),
          );
      addSubject({ step: '1' });
      return fault ? Promise.reject(fault) : Promise.resolve('done');
    });
  await expect(attempt(null, false)).rejects.toThrow('disk full');
  await expect(attempt(new Error('broken'), false)).rejects.toThrow(/broken.*disk full/);
  await expect(attempt(new Error('broken'), true)).rejects.toThrow('broken');
  expect(await last()).toMatchObject({ about: { step: '1' }, outcome: 'failed', code: 'internal' });
});

test('a user without a name is recorded by its number', async () => {
  jest.spyOn(os, 'userInfo').mockImplementation(() => {
    throw new Error('ENOENT');
  });
  await run('rebates', 'rule', 'set', '--tier', '0:0.02');
  expect(await last()).toMatchObject({ actor: `cli:${String(process.getuid?.())}` });
});
