import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fee } from '../../../../test/billing/instance';
import { commandLine } from '../../../../test/command-line';
import { feesCommand } from './fees-command';

const { DATA_DIR, run } = commandLine(feesCommand);

test('an import says which rows may be mistakes', async () => {
  const file = join(DATA_DIR, 'fees.ndjson');
  const rows = [
    fee({ id: 'a', fee_amount: '100.01' }),
    ...Array.from({ length: 11 }, (_, i) => fee({ id: `f-${i}`, created_at: '2999-01-01T00:00:00Z' })),
  ];
  writeFileSync(file, rows.map(row => `${JSON.stringify(row)}\n`).join(''));
  expect(await run('fees', 'import', file)).toBe(
    [
      '12 lines: 12 recorded, 0 unchanged, 0 refused, 0 malformed',
      'warning: 1 fee is larger than the gross amount: line 1',
      'warning: 11 fees are dated in the future: lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 1 more',
      '',
    ].join('\n'),
  );
  expect(JSON.parse(await run('--json', 'fees', 'import', file))).toMatchObject({
    unchanged: 12,
    warnings: [
      { warning: 'fee_exceeds_gross', rows: 1, lines: [1] },
      { warning: 'dated_in_the_future', rows: 11 },
    ],
  });
});

test('an import from standard input names it', async () => {
  const lines = `${JSON.stringify(fee({ id: 'piped' }))}\n{"id":"no fee"}\n`;
  jest
    .spyOn(process, 'stdin', 'get')
    .mockReturnValue(Readable.from([Buffer.from(lines)]) as typeof process.stdin);
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  expect(await run('fees', 'import', '-')).toBe('2 lines: 1 recorded, 0 unchanged, 0 refused, 1 malformed\n');
  expect(write).toHaveBeenCalledWith(expect.stringMatching(/^standard input:2: /));
  jest.restoreAllMocks();
  process.exitCode = undefined;
});

test('an import that stops says that there is more in the file', async () => {
  const file = join(DATA_DIR, 'stopped.ndjson');
  writeFileSync(file, `{"id":"d"}\n${JSON.stringify(fee({ id: 'd' }))}\n`);
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const result = '1 line: 0 recorded, 0 unchanged, 0 refused, 1 malformed';
  expect(await run('fees', 'import', file)).toBe(
    `${result}\nstopped after line 1: the rest of the file was not read (--keep-going reads it)\n`,
  );
  expect(await run('fees', 'import', file, '--keep-going')).toBe(
    '2 lines: 1 recorded, 0 unchanged, 0 refused, 1 malformed\n',
  );
  process.exitCode = undefined;
});
