import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { FeeRow } from '../../contracts/http/billing-answers';
import { feeCsv } from './csv';

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

async function* pages(...of: FeeRow[][]) {
  yield* of;
}
const HEADER =
  'id,fee_type,collection_status,fee_amount,gross_amount,billing_period,created_at,merchant_slug,merchant_name\r\n';

describe('the CSV of fees', () => {
  it('has the columns in their order and CRLF', async () => {
    const { csv } = await feeCsv(pages([row()]), 10);
    expect(csv).toBe(
      `${HEADER}f-1,creation,collected,1.50,100.00,2026-11,2026-11-20T11:00:00.000Z,espresso,Espresso & Co\r\n`,
    );
  });

  it('has a header also when it has nothing else', async () => {
    expect(await feeCsv(pages(), 10)).toEqual({ csv: HEADER, rowCount: 0, truncated: false });
  });

  it('says when it left rows out', async () => {
    const three = [row({ id: 'a' }), row({ id: 'b' }), row({ id: 'c' })];
    expect(await feeCsv(pages(three), 3)).toMatchObject({ rowCount: 3, truncated: false });
    expect(await feeCsv(pages(three.slice(0, 2), three.slice(2)), 2)).toMatchObject({
      rowCount: 2,
      truncated: true,
    });
    expect(await feeCsv(pages(three), 2)).toMatchObject({ rowCount: 2, truncated: true });
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
    const { csv } = await feeCsv(pages([row({ merchant_name })]), 10);
    const [read] = parse(csv, { columns: true, record_delimiter: '\r\n' }) as Record<string, string>[];
    expect(read!['merchant_name']).toBe(cell);
  });

  it('keeps negative amounts numbers', async () => {
    const { csv } = await feeCsv(pages([row({ fee_amount: '-1.50' })]), 10);
    expect(csv).toContain(',-1.50,');
  });

  it('is read back by any parser as it was written', () =>
    fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async merchant_name => {
        const { csv } = await feeCsv(pages([row({ merchant_name })]), 10);
        const [read] = parse(csv, { columns: true, record_delimiter: '\r\n' }) as Record<string, string>[];
        expect(read!['merchant_name']!.replace(/^'/, '')).toBe(merchant_name.replace(/^'/, ''));
      }),
    ));
});
