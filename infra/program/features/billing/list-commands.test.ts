import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fee } from '../../../../test/billing/instance';
import { commandLine } from '../../../../test/command-line';
import { claimDataDir } from '../../../engines/data-dir-claim';
import { eraseCommand } from '../erasure/erase-command';
import { feesCommand } from './fees-command';
import { invoicesCommand } from './invoices-command';
import { revenueCommand } from './revenue-command';
import { settlementsCommand } from './settlements-command';

const { DATA_DIR, run } = commandLine(
  eraseCommand,
  feesCommand,
  invoicesCommand,
  revenueCommand,
  settlementsCommand,
);

beforeAll(async () => {
  const file = join(DATA_DIR, 'fees.ndjson');
  const fees = [
    fee({ id: 'f-1', created_at: '2026-10-02T00:00:00.000Z', fee_amount: '1.25' }),
    fee({
      id: 'f-2',
      created_at: '2026-10-03T00:00:00.000Z',
      fee_amount: '2.00',
      collection_status: 'pending',
    }),
    fee({ id: 'f-3', created_at: '2026-11-01T00:00:00.000Z', fee_amount: '4.00' }),
  ];
  writeFileSync(file, fees.map(each => `${JSON.stringify(each)}\n`).join(''));
  await run('fees', 'import', file);
});

test('fees are listed, newest first, and filtered', async () => {
  const text = await run('fees', 'list');
  expect(text).toMatch(/^FEE +TYPE.*\nf-3 .*\nf-2 .*\nf-1 .*\n3 fees\n$/);
  const ids = async (...words: string[]) =>
    (JSON.parse(await run('--json', 'fees', 'list', ...words)) as { rows: { id: string }[] }).rows.map(
      ({ id }) => id,
    );
  expect(await ids('--status', 'pending')).toEqual(['f-2']);
  expect(await ids('--from', '2026-10-03', '--to', '2026-11-01')).toEqual(['f-3', 'f-2']);
  expect(await ids('--period', '2026-10')).toEqual(['f-2', 'f-1']);
  expect(await run('fees', 'list', '--limit', '2', '--page', '2')).toMatch(/\nf-1 .*\n3 to 3 of 3 fees\n$/);
  expect(await run('fees', 'list', '--type', 'other')).toBe('no fees\n');
});

test('a fee is shown with its history', async () => {
  const shown = JSON.parse(await run('--json', 'fees', 'show', 'f-1'));
  expect(shown).toMatchObject({
    feeId: 'f-1',
    rows: [{ id: 'f-1', fee_amount: '1.25' }],
    history: [{ event: 'recorded' }],
  });
  expect(await run('fees', 'show', 'f-1')).toContain('recorded');
  await expect(run('fees', 'show', 'f-9')).rejects.toThrow('fee_not_found');
});

test('the revenue of a period has the sums of the fees', async () => {
  const { summary } = JSON.parse(await run('--json', 'revenue', '--period', '2026-10'));
  expect(summary).toEqual([
    expect.objectContaining({ collection_status: 'collected', count: 1, total_fee: '1.25' }),
    expect.objectContaining({ collection_status: 'pending', count: 1, total_fee: '2.00' }),
  ]);
  expect(await run('revenue', '--from', '2026-11-01')).toMatch(/amounts in USD\n[^]*collected +1 +4\.00/);
  expect(await run('revenue', '--period', '2020-01')).toBe('no fees\n');
  await expect(run('revenue', '--from', '2026-11-02', '--to', '2026-11-01')).rejects.toThrow(
    /^--from: must not be after --to$/,
  );
});

test('a merchant has its id under MERCHANT, wherever it is listed', async () => {
  expect(await run('fees', 'list')).toMatch(/ MERCHANT +SLUG +CREATED\n.* m-1 +espresso +\S+\n/);
  expect(await run('revenue')).toMatch(/\nMERCHANT +NAME .*\nm-1 +Espresso & Co /);
});

test('a merchant is named by its id or its slug, wherever one is named', async () => {
  for (const merchant of ['m-1', 'espresso'])
    expect(await run('fees', 'list', '--merchant', merchant)).toMatch(/3 fees\n$/);
  expect(await run('fees', 'list', '--merchant', 'm-2')).toBe('no fees\n');
  expect(await run('settlements', 'list', '--merchant', 'espresso')).toBe('no settlements\n');
  await expect(run('settlements', 'list', '--merchant', 'm 1')).rejects.toThrow(/^--merchant: /);
});

test('lists without rows say so', async () => {
  expect(await run('invoices', 'list')).toBe('no invoices\n');
  expect(await run('settlements', 'list', '--status', 'paid')).toBe('no settlements\n');
});

test('what a running program has not folded is refused; without one it is folded first', async () => {
  const file = join(DATA_DIR, 'more.ndjson');
  writeFileSync(file, `${JSON.stringify(fee({ id: 'f-4' }))}\n`);
  await run('fees', 'import', file);
  // A program that runs folds for commands, this one nothing.
  const release = claimDataDir(DATA_DIR);
  await expect(run('fees', 'list')).rejects.toThrow(/is behind.*tidemark status/);
  release();
  expect(await run('fees', 'list')).toMatch(/\nf-4 .*\n4 fees\n$/s);
});

test('erasing nobody fails', async () => {
  await expect(run('erase', 'nobody', '--yes')).rejects.toThrow(
    'nobody: no text is encrypted for this subject',
  );
});
