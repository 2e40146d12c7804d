import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson } from '../../contracts/json/canonical-json';
import type { FeeRow, Invoice, Revenue } from '../../contracts/http/billing/responses';
import { LEDGER_CATEGORIES } from '../../contracts/events/ledger';
import type { LedgerEvent } from '../../contracts/ledger-tree/ledger-line';
import { temporaryFolder } from '../temporary-folder';
import { fee, type Installation } from './installation';
import { exportCommand } from '../../infra/program/features/ledger-tree/export-command';
import { replayCommand } from '../../infra/cli/replay';
import { readConfig } from '../../infra/program/settings/config';
import { runCommand } from '../command-line';
import { tidemark } from './tidemark';

const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

interface Report {
  readonly position: number;
  readonly sha256: string;
  readonly bytes: number;
}

/** Without digest lines. */
const eventLines = (text: string): string[] =>
  text.split('\n').filter(line => line !== '' && !line.startsWith('{"digests":'));

interface Replayed {
  readonly position: number;
  readonly revenue: Revenue;
  readonly invoices: readonly { invoiceId: string; status: string }[];
  readonly settlements: readonly object[];
  readonly rows: readonly FeeRow[];
}

export function replayAndExport(main: Installation): void {
  let folder: string;
  let invoice: Invoice;
  /** The position before the invoice. */
  let before: number;
  /** What the ledger held before. */
  let earlier: { readonly events: number; readonly fees: number };
  const file = (name: string): string => join(folder, name);

  /** Runs the command in this process, beside the running program. */
  const commandOutput = (args: readonly string[]): Promise<string> =>
    runCommand(
      [exportCommand, replayCommand],
      () => readConfig({ ...main.settings, LOG_LEVEL: 'fatal' }),
      args,
    );

  const run = async (args: readonly string[]): Promise<Report & { events: number; rows: number }> =>
    JSON.parse(await commandOutput(['--json', ...args])) as Report & { events: number; rows: number };

  beforeAll(async () => {
    folder = temporaryFolder();
    const { events, position } = await run(['export', '--output', file('earlier.ndjson')]);
    const { body } = await main.act({ action: 'list_fee_ledger' }, { after: String(position) });
    earlier = { events, fees: (body as { total: number }).total };
    before = Number(
      await main.record([
        fee('a'),
        fee('b', { collection_status: 'pending', merchant_id: 'm-2' }),
        ...Array.from({ length: 300 }, (_, n) => fee(`many-${n}`, { fee_amount: `${n}.000000000000000001` })),
      ]),
    );
    const made = await main.act({ action: 'generate_invoice', billingPeriod: '2026-01' });
    invoice = (made.body as { invoice: Invoice }).invoice;
    await main.act({ action: 'void_invoice', invoiceId: invoice.invoiceId, reason: 'wrong month' });
    await main.record([fee('later', { created_at: '2026-02-01T00:00:00Z' })]);
  });

  describe('export', () => {
    it('writes every event of the ledger in canonical form, in order, beside the running program', async () => {
      const { events, position, bytes } = await run(['export', '--output', file('whole.ndjson')]);
      expect(statSync(file('whole.ndjson')).mode & 0o777).toBe(0o600);
      const text = readFileSync(file('whole.ndjson'), 'utf8');
      const lines = eventLines(text);
      expect([text.endsWith('\n'), lines.length, Buffer.byteLength(text)]).toEqual([true, events, bytes]);
      const read = lines.map(line => JSON.parse(line) as LedgerEvent);
      expect(read.map(event => canonicalJson({ ...event }))).toEqual(lines);
      expect(read.map(event => event.position)).toEqual(
        [...read.map(event => event.position)].sort((a, b) => a - b),
      );
      expect(read.at(-1)!.position).toBe(position);
      const categories = new Set(read.map(({ stream }) => stream.split('-', 1)[0]!));
      expect([...categories].filter(category => !LEDGER_CATEGORIES.includes(category))).toEqual([]);
      expect(categories).toContain('fee');
      expect(categories).toContain('invoice');
      expect(read.filter(({ type }) => type === 'FeeRecorded')).toHaveLength(earlier.fees + 303);
      expect(text).not.toContain('wrong month');
    });

    it('writes the same bytes in two runs, to a file and to stdout', async () => {
      const whole = await run(['export', '--output', file('one.ndjson')]);
      const until = ['--until-position', String(whole.position)];
      const again = await run(['export', ...until, '--output', file('two.ndjson')]);
      expect(again.sha256).toBe(whole.sha256);
      expect([sha256(file('one.ndjson')), sha256(file('two.ndjson'))]).toEqual([whole.sha256, whole.sha256]);
      const { stdout, code } = await tidemark(['export', ...until], main.settings);
      expect([code, stdout]).toEqual([0, readFileSync(file('one.ndjson'), 'utf8')]);
    });

    it('up to a position is a prefix of the whole export', async () => {
      await run(['export', '--output', file('whole.ndjson')]);
      await run(['export', '--until-position', String(before), '--output', file('part.ndjson')]);
      const part = eventLines(readFileSync(file('part.ndjson'), 'utf8'));
      expect(part).toHaveLength(earlier.events + 302);
      expect(eventLines(readFileSync(file('whole.ndjson'), 'utf8')).slice(0, part.length)).toEqual(part);
      expect(await commandOutput(['export', '--until-position', '-1'])).toBe('');
    });
  });

  const replayed = (name: string): Replayed => JSON.parse(readFileSync(file(name), 'utf8')) as Replayed;

  describe('replay', () => {
    it('writes the ledger as of a moment, equal to the API', async () => {
      const args = ['replay', '--until-position', String(before), '--output', file('then.json')];
      expect(await run(args)).toMatchObject({ position: before, rows: earlier.fees + 302 });
      const { revenue, invoices, rows, position } = replayed('then.json');
      expect([position, rows.length]).toEqual([before, earlier.fees + 302]);
      expect(invoices.map(({ invoiceId }) => invoiceId)).not.toContain(invoice.invoiceId);
      expect(revenue).toEqual((await main.act({ action: 'get_revenue', asOf: before })).body);
      const page = await main.act({ action: 'list_fee_ledger', asOf: before, pageSize: 200 });
      expect(rows.slice(0, 200)).toEqual((page.body as { rows: FeeRow[] }).rows);

      await run(['replay', '--output', file('now.json')]);
      const now = replayed('now.json');
      expect(now.rows).toHaveLength(earlier.fees + 303);
      expect(now.invoices).toContainEqual(
        expect.objectContaining({ invoiceId: invoice.invoiceId, status: 'void' }),
      );
      expect(readFileSync(file('now.json'), 'utf8')).toBe(`${canonicalJson({ ...now } as never)}\n`);
    });

    it('writes all rows as CSV, equal to the export of the API', async () => {
      const args = ['replay', '--until-position', String(before), '--format', 'csv'];
      await run([...args, '--output', file('then.csv')]);
      const { body } = await main.act({ action: 'export_revenue_csv', asOf: before });
      expect(readFileSync(file('then.csv'), 'utf8')).toBe((body as { csv: string }).csv);
      const { stdout, code } = await tidemark(args, main.settings);
      expect([code, stdout]).toEqual([0, readFileSync(file('then.csv'), 'utf8')]);
    });

    it.each(['json', 'csv'])(
      'writes the same bytes in two runs, also without snapshots: %s',
      async format => {
        const args = ['replay', '--until-position', String(before), '--format', format];
        const first = await run([...args, '--output', file('first')]);
        // Tools have their own snapshots, beside those of the program.
        for (const slot of readdirSync(join(main.settings['DATA_DIR']!, 'as-of')).filter(
          name => name !== '1',
        ))
          rmSync(join(main.settings['DATA_DIR']!, 'as-of', slot), { recursive: true });
        const second = await run([...args, '--output', file('second')]);
        expect([first.sha256, second.sha256]).toEqual([sha256(file('first')), sha256(file('first'))]);
        expect(await commandOutput(args)).toBe(readFileSync(file('first'), 'utf8'));
      },
    );

    it('accepts an instant, and uses the earlier of an instant and a position', async () => {
      const before1970 = ['replay', '--as-of', '1970-01-02T00:00:00Z', '--output', file('empty.json')];
      expect(await run(before1970)).toMatchObject({ position: -1, rows: 0 });
      expect(replayed('empty.json')).toMatchObject({ revenue: { summary: [], byMerchant: [] }, rows: [] });
      const now = [
        'replay',
        '--as-of',
        new Date(Date.now() - 1).toISOString(),
        '--output',
        file('both.json'),
      ];
      expect(await run(now)).toMatchObject({ rows: earlier.fees + 303 });
      expect(await run([...now, '--until-position', String(before)])).toMatchObject({
        position: before,
        rows: earlier.fees + 302,
      });
    });
  });

  it.each([
    [['replay', '--as-of', 'yesterday'], 'RFC 3339'],
    [['replay', '--as-of', '2020'], 'a position is for --until-position'],
    [['replay', '--as-of', '2190-01-01T00:00:00Z'], 'past'],
    [['replay', '--until-position', '9000000000000'], 'position'],
    [['replay', '--until-position', 'x'], 'position'],
    [['replay', '--format', 'xml'], 'format'],
    [['export', '--until-position', '9000000000000'], 'position'],
    [['export', '--output', '/nowhere/at/all'], '/nowhere/at/all'],
  ])('%j is rejected with the reason', async (args, why) => {
    await expect(commandOutput(args)).rejects.toThrow(why);
  });

  it('leaves no file when it fails, and exits with 1', async () => {
    const { code, stdout, stderr } = await tidemark(
      ['export', '--output', join(folder, 'no', 'such.ndjson')],
      main.settings,
    );
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('such.ndjson');
    expect(existsSync(join(folder, 'no'))).toBe(false);
    expect(readdirSync(folder).filter(name => name.endsWith('.unfinished'))).toEqual([]);
  });
}
