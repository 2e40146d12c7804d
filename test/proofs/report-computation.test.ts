import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { feeEvents, feeStream, type FeeEvent } from '../../contracts/events/fee';
import type { Json } from '../../contracts/json/json';
import { ledgerLine } from '../../contracts/ledger-tree/ledger-line';
import { readEvents } from '../../infra/verifier/export-lines';
import { ReportComputation } from '../../infra/verifier/report-computation';
import { planReport } from '../../infra/verifier/report-plan';
import { feeFacts } from '../bench/fill/fees';
import { temporaryFolder } from '../temporary-folder';
import { writeLines } from './exported-ledger';

const FEES = 6_000;
const PER_DAY = 1_000;
const PAGE = 200;
const facts = Array.from({ length: FEES }, (_, n) => feeFacts(n, PER_DAY));

/** Collected long after it was recorded: its row comes from the end of the export. */
const LATE = 2_500;

const EVENTS: readonly FeeEvent[] = [
  ...facts.map((data): FeeEvent => ({
    type: 'FeeRecorded',
    data: { ...data, collection_status: 'pending' },
  })),
  { type: 'FeeCollected', data: facts[LATE]! },
];

let folder: string;
let file: string;

beforeAll(() => {
  folder = temporaryFolder();
  file = exported('export.ndjson', EVENTS);
});

function exported(name: string, events: readonly FeeEvent[]): string {
  const lines = events.map((event, position) =>
    ledgerLine({
      ...feeEvents.write(event, randomUUID(), {}),
      position,
      stream: feeStream(event.data.id),
      revision: event.type === 'FeeRecorded' ? 0 : 1,
      created: '2026-11-01T00:00:00.000Z',
    }),
  );
  return writeLines(join(folder, name), lines);
}

async function answer(query: Json): Promise<{ rows: { id: string; collection_status: string }[] }> {
  const computation = new ReportComputation(EVENTS.length, planReport(query, EVENTS.length - 1));
  let batches = 0;
  for await (const batch of readEvents(file)) {
    computation.add(batch);
    batches++;
  }
  expect(batches).toBeGreaterThan(2);
  return (await computation.finish(file)) as never;
}

/** Newest first. */
const rowsOf = (from: number, before: number): { id: string; collection_status: string }[] =>
  facts
    .map(({ id }, n) => ({ id, collection_status: n === LATE ? 'collected' : 'pending' }))
    .slice(from, before)
    .reverse();

describe('rows of an export that is read in many batches', () => {
  it.each([
    ['the first day', 0],
    ['a day in the middle, with a row that changes last', 2],
    ['the last day', FEES / PER_DAY - 1],
  ])('are those of the requested days: %s', async (_, n) => {
    const { day } = facts[n * PER_DAY]!;
    const query = { action: 'list_fee_ledger', dateFrom: day, dateTo: day, pageSize: PAGE };
    const pages = Array.from({ length: PER_DAY / PAGE }, (_page, i) => answer({ ...query, page: i + 1 }));
    const rows = (await Promise.all(pages)).flatMap(page => page.rows);
    expect(rows).toMatchObject(rowsOf(n * PER_DAY, (n + 1) * PER_DAY));
    expect(rows).toHaveLength(PER_DAY);
  });

  it('are none when there were no fees', async () => {
    const days = { dateFrom: '2020-01-01', dateTo: '2020-01-31' };
    const query = { action: 'list_fee_ledger', ...days, page: 1, pageSize: 50 };
    expect((await answer(query)).rows).toEqual([]);
  });
});

describe('an export of more rows than one part has', () => {
  it('continues with its cursor as of the position of its first part', async () => {
    const many = Array.from({ length: 10_003 }, (_, n) => feeFacts(n, PER_DAY));
    const events = many.map((data): FeeEvent => ({
      type: 'FeeRecorded',
      data: { ...data, collection_status: 'pending' },
    }));
    const path = exported('parts.ndjson', events);
    const size = many.length - 1;
    const part = async (
      query: Json,
      of = size,
    ): Promise<{ rowCount: number; truncated: boolean; cursor?: string }> => {
      const computation = new ReportComputation(of, planReport(query, of - 1));
      for await (const batch of readEvents(path)) computation.add(batch);
      return (await computation.finish(path)) as never;
    };
    const first = await part({ action: 'export_revenue_csv' });
    expect(first).toMatchObject({ rowCount: 10_000, truncated: true });
    const next = { action: 'export_revenue_csv', cursor: first.cursor! };
    expect(await part(next)).toMatchObject({ rowCount: 2, truncated: false });
    await expect(part(next, size - 1)).rejects.toMatchObject({ outcome: 'wrong_answer' });
  });
});

describe('an event that cannot be folded', () => {
  it.each([0, EVENTS.length - 1])('makes the export unusable: event %d', async n => {
    const events = EVENTS.map((event, i) =>
      i === n ? ({ ...event, data: { ...event.data, fee_amount: 'much' } } as FeeEvent) : event,
    );
    const computation = new ReportComputation(
      events.length,
      planReport({ action: 'get_revenue' }, EVENTS.length - 1),
    );
    const bad = exported('bad.ndjson', events);
    for await (const batch of readEvents(bad)) computation.add(batch);
    await expect(computation.finish(bad)).rejects.toMatchObject({ outcome: 'unusable' });
  });
});
