import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { formatExportCursor, parseExportCursor } from '../../contracts/http/billing/export-cursor';
import type { Json } from '../../contracts/json/json';
import { copyEvents } from '../../infra/cli/migrate/events';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import { evidenceIn } from '../../infra/verifier/evidence';
import { hashEvents } from '../../infra/verifier/hash-events';
import { verifyReport } from '../../infra/verifier/verify-report';
import { exportedLines, writeLines } from '../proofs/exported-ledger';
import { temporaryFolder } from '../temporary-folder';
import { openInstance, type TestInstance } from './instance';

const MAX_ROWS = 1_000;
/** Parts are of fewer rows than they have elsewhere, and still of several pages. */
jest.mock('../../services/billing/export/csv', () => ({
  ...jest.requireActual('../../services/billing/export/csv'),
  MAX_CSV_ROWS: 1_000,
}));

let instance: TestInstance;
let folder: string;
beforeAll(async () => {
  folder = temporaryFolder();
  instance = await openInstance({ settings: { AS_OF_WAIT_MS: '600000' } });
  for (let batch = 0; batch < 12; batch++)
    await instance.record(
      Array.from({ length: 100 }, (_, n) => ({
        id: `f-${batch}-${n}`,
        fee_type: n % 2 === 0 ? 'creation' : 'swap',
        merchant_slug: n % 10 === 0 ? 'rare' : 'often',
        collection_status: n % 5 === 0 ? 'pending' : 'collected',
        created_at: `2026-${10 + (batch % 2)}-${String(1 + (n % 28)).padStart(2, '0')}T00:00:00.000Z`,
      })),
    );
});
afterAll(() => instance.close());

const act = (fields: object) => instance.act({ action: 'export_revenue_csv', ...fields });
const idsIn = (csv: string): string[] =>
  (parse(csv, { columns: true, record_delimiter: '\r\n' }) as { id: string }[]).map(({ id }) => id);

describe('the CSV export', () => {
  it.each([
    [{ status: 'pending' }, 240],
    [{ merchantSlug: 'rare', feeType: 'creation' }, 120],
    [{ merchantSlug: 'rare', feeType: 'swap' }, 0],
    [{ billingPeriod: '2026-10', feeType: 'swap' }, 300],
    [{ dateFrom: '2026-10-28', dateTo: '2026-11-01', status: 'pending', merchantSlug: 'often' }, null],
  ])('has the rows of %j, as the list has', async (filter, rows) => {
    const { body } = await act(filter);
    const { body: list } = await instance.act({ action: 'list_fee_ledger', pageSize: 1, ...filter });
    expect([body.rowCount, body.truncated, body.cursor]).toEqual([list.total, false, undefined]);
    if (rows !== null) expect(body.rowCount).toBe(rows);
  });

  it('continues after the rows that a part has, as of the position of the first part', async () => {
    const first = await act({});
    expect(first.body).toMatchObject({ rowCount: MAX_ROWS, truncated: true });
    const position = Number(first.headers['x-ledger-position']);

    // What leaves, enters and changes the rest of the rows meanwhile is not in the other parts.
    const { body: whole } = await instance.act({
      action: 'list_fee_ledger',
      page: 55,
      pageSize: 20,
      asOf: position,
    });
    await instance.record(whole.rows.map(({ id }: { id: string }) => ({ id, action: 'reverse' })));
    await instance.record([{ id: 'late', created_at: '2026-10-01T00:00:00.000Z' }]);

    const second = await act({ cursor: first.body.cursor });
    expect(second.body).toMatchObject({ rowCount: 200, truncated: false });
    expect(second.body).not.toHaveProperty('cursor');
    expect(second.headers['x-ledger-position']).toBe(String(position));

    const ids = [first, second].flatMap(({ body }) => idsIn(body.csv));
    expect(new Set(ids).size).toBe(1_200);
    expect(ids).not.toContain('late');
    expect(second.body.csv).not.toContain(',reversed,');
    // The ledger as of the position, folded separately, has the same rows in the same parts.
    const past = await act({ asOf: position });
    expect(past.body.csv).toBe(first.body.csv);
    const rest = await act({ asOf: position, cursor: past.body.cursor });
    expect(rest.body.csv).toBe(second.body.csv);
  });

  it('proves every part', async () => {
    const fields = { merchantSlug: 'often', proof: true };
    const first = await act(fields);
    await instance.record([
      { id: 'proof-late', merchant_slug: 'often', created_at: '2026-10-01T00:00:00.000Z' },
    ]);
    const second = await act({ ...fields, cursor: first.body.cursor });
    expect(second.body.rowCount).toBe(80);
    expect(second.body.proof.position).toBe(first.body.proof.position);

    const ledger = writeLines(join(folder, 'ledger.ndjson'), await exportedLines(instance.store));
    const verify = (answer: Json) =>
      verifyReport({
        file: ledger,
        evidence: evidenceIn(answer)!,
        keys: null,
        checkpoints: [],
        hash: hashEvents,
      });
    for (const { body } of [first, second]) expect((await verify(body as Json)).proof).toEqual(body.proof);
    const forged = { ...second.body, csv: (second.body.csv as string).replace('1.50', '1.51') };
    await expect(verify(forged as Json)).rejects.toThrow('answer');
    const parsed = parseExportCursor(first.body.cursor)!;
    for (const change of [{ position: 0 }, { position: 2 ** 50 }, { query: '0' }, { ledger: '0' }]) {
      const other = { ...first.body, cursor: formatExportCursor({ ...parsed, ...change }) };
      await expect(verify(other as Json)).rejects.toThrow('cursor');
    }
  });

  it('refuses a cursor from before a migration, whose position is of another event there', async () => {
    const first = await act({});
    const engines = {
      store: openSqliteEventStore({ path: join(folder, 'events.db') }),
      documents: openSqliteDocuments({ path: join(folder, 'documents.db') }),
    };
    // What the engine has of its own comes before the copied events.
    await engines.store.append('note-1', 'no_stream', [
      { id: randomUUID(), type: 'Noted', data: {}, metadata: { v: 1 } },
    ]);
    await copyEvents({
      from: instance.store,
      to: engines.store,
      progress: { load: async () => null, store: async () => undefined },
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });
    const other = await openInstance({ settings: { AS_OF_WAIT_MS: '600000' }, engines });
    try {
      const again = { action: 'export_revenue_csv', cursor: first.body.cursor };
      for (const fields of [{}, { proof: true }, { asOf: 7 }])
        expect(await other.act({ ...again, ...fields })).toMatchObject({
          status: 400,
          body: { errors: [{ pointer: '/body/cursor' }] },
        });
      expect(await other.act(again)).toMatchObject({ body: { errors: [{ code: 'other_ledger' }] } });
      const { body } = await other.act({ action: 'export_revenue_csv' });
      expect(body.csv).toBe(first.body.csv);
      const rest = await other.act({ action: 'export_revenue_csv', cursor: body.cursor });
      expect(rest.body.csv).toBe((await act({ cursor: first.body.cursor })).body.csv);
    } finally {
      await other.close();
    }
  });

  it('refuses a cursor of another export, a forged one and one of the future', async () => {
    const { cursor } = (await act({ dateFrom: '2026-01-01' })).body;
    const parsed = parseExportCursor(cursor)!;
    const future = formatExportCursor({ ...parsed, position: 2 ** 50 });
    const beforeFirst = formatExportCursor({ ...parsed, position: -1 });
    for (const [fields, pointer] of [
      [{ cursor }, '/body/cursor'],
      [{ cursor, dateFrom: '2026-01-02' }, '/body/cursor'],
      [{ cursor: future, dateFrom: '2026-01-01' }, '/body/cursor'],
      [{ cursor: future, dateFrom: '2026-01-01', proof: true }, '/body/cursor'],
      [{ cursor: beforeFirst, dateFrom: '2026-01-01' }, '/body/cursor'],
      [{ cursor: 'AAAA' }, '/body/cursor'],
      [{ cursor: Buffer.from('[1,2]').toString('base64url') }, '/body/cursor'],
      [{ cursor: 7 }, '/body/cursor'],
    ] as const)
      expect(await act(fields)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });
});
