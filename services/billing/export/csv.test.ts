import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { FeeRow } from '../../../contracts/http/billing/responses';
import { feeCsv, feeCsvJson } from './csv';
import { runs } from '../../../test/random';

const row = (changed: Partial<FeeRow> = {}): FeeRow => ({
  id: 'f-1',
  fee_type: 'creation',
  collection_status: 'collected',
  fee_amount: '1.50',
  gross_amount: '100.00',
  billing_period: '2026-11',
  created_at: '2026-11-20T11:00:00.000Z',
  merchant_id: 'm-1',
  merchant_name: 'Espresso & Co',
  merchant_slug: 'espresso',
  ...changed,
});

const upTo = (maxRows: number) => ({ maxRows, cursorAfter: ({ id }: FeeRow) => `after ${id}` });

async function* pages(...of: FeeRow[][]) {
  yield* of;
}
const HEADER =
  'id,fee_type,collection_status,fee_amount,gross_amount,billing_period,created_at,merchant_slug,merchant_name\r\n';

describe('the CSV of fees', () => {
  it('has the columns in order and CRLF', async () => {
    const { csv } = await feeCsv(pages([row()]), upTo(10));
    expect(csv).toBe(
      `${HEADER}f-1,creation,collected,1.50,100.00,2026-11,2026-11-20T11:00:00.000Z,espresso,Espresso & Co\r\n`,
    );
  });

  it('has a header also without rows', async () => {
    expect(await feeCsv(pages(), upTo(10))).toEqual({ csv: HEADER, rowCount: 0, truncated: false });
  });

  it('is marked when rows were left out', async () => {
    const three = [row({ id: 'a' }), row({ id: 'b' }), row({ id: 'c' })];
    expect(await feeCsv(pages(three), upTo(3))).toMatchObject({ rowCount: 3, truncated: false });
    expect(await feeCsv(pages(three.slice(0, 2), three.slice(2)), upTo(2))).toMatchObject({
      rowCount: 2,
      truncated: true,
    });
    expect(await feeCsv(pages(three), upTo(2))).toMatchObject({
      rowCount: 2,
      truncated: true,
      cursor: 'after b',
    });
  });

  it('reads no more of an endless ledger than its limit', async () => {
    let read = 0;
    async function* endless() {
      for (;;) yield Array.from({ length: 1_000 }, () => row({ id: `f-${read++}` }));
    }
    expect(await feeCsv(endless(), upTo(10_000))).toMatchObject({ rowCount: 10_000, truncated: true });
    expect(read).toBe(11_000);
  });

  it.each([
    ['=HYPERLINK("http://x")', `'=HYPERLINK("http://x")`],
    ['+1', `'+1`],
    ['@SUM(A1)', `'@SUM(A1)`],
    ['\t=1', `'\t=1`],
    ['\rx', `'\rx`],
    ['  =1', `'  =1`],
    ['＝1', `'＝1`],
    ['-1+1', `'-1+1`],
    ['-5.00', '-5.00'],
    ['a=b', 'a=b'],
    ['"quoted", with comma', '"quoted", with comma'],
  ])('a merchant named %j is the cell %j', async (merchant_name, cell) => {
    const { csv } = await feeCsv(pages([row({ merchant_name })]), upTo(10));
    const [read] = parse(csv, { columns: true, record_delimiter: '\r\n' }) as Record<string, string>[];
    expect(read!['merchant_name']).toBe(cell);
  });

  it('writes negative amounts as numbers', async () => {
    const { csv } = await feeCsv(pages([row({ fee_amount: '-1.50' })]), upTo(10));
    expect(csv).toContain(',-1.50,');
  });

  it('writes adjustments as numbers, with their ids', async () => {
    const { csv } = await feeCsv(
      pages([row({ id: 'f-1~reversal', gross_amount: '-0.000000000000000001' })]),
      upTo(10),
    );
    expect(csv).toContain('f-1~reversal,creation,collected,1.50,-0.000000000000000001,');
  });

  /** Texts that parsers and spreadsheets misread, in any order, mixed with ordinary text. */
  const hostile = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '"',
          '""',
          ',',
          ';',
          '\r',
          '\n',
          '\r\n',
          '\t',
          "'",
          '\uFEFF',
          '\u0000',
          '\u2028',
          ' ',
        ),
        fc.constantFrom(
          '=',
          '+',
          '-',
          '@',
          '|',
          '%',
          '\uFF1D',
          '\uFF20',
          '=cmd|"/C calc"!A0',
          '-5.00',
          '1e5',
        ),
        fc.string({ unit: 'grapheme', maxLength: 4 }),
      ),
      { maxLength: 8 },
    )
    .map(parts => parts.join(''));

  it('is parsed as it was written, and no cell is a formula', () =>
    fc.assert(
      fc.asyncProperty(fc.array(hostile, { minLength: 1, maxLength: 5 }), async names => {
        const rows = names.map((merchant_name, index) => row({ id: `f-${index}`, merchant_name }));
        const { csv, rowCount } = await feeCsv(pages(rows), upTo(10));
        expect(rowCount).toBe(names.length);
        const read = parse(csv, { columns: true, record_delimiter: '\r\n' }) as Record<string, string>[];
        expect(read.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
        read.forEach((cells, index) => {
          const { merchant_name: cell, ...others } = cells;
          const name = names[index]!;
          expect([name, `'${name}`]).toContain(cell);
          expect(cell).not.toMatch(/^\s*[=+@\uFF1D\uFF0B\uFF0D\uFF20]|^\s*-(?!\d+(\.\d+)?$)/);
          expect(others).toMatchObject({ fee_amount: '1.50', merchant_slug: 'espresso' });
        });
      }),
      runs(50),
    ));

  it('is the same when streamed, in as many parts as there are pages', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.string({ unit: 'grapheme', maxLength: 5 }), { maxLength: 4 }), { maxLength: 4 }),
        fc.nat(10),
        async (names, most) => {
          const of = names.map(page => page.map(merchant_name => row({ merchant_name })));
          let text = '';
          for await (const part of feeCsvJson(pages(...of), upTo(most))) text += part;
          expect(JSON.parse(text)).toEqual(await feeCsv(pages(...of), upTo(most)));
        },
      ),
      runs(100),
    ));
});
