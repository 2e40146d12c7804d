import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCalendar } from '../../contracts/calendar';
import { feeEvents, feeStream, type FeeEvent } from '../../contracts/events/fee';
import type { Json } from '../../contracts/json';
import { ledgerLine } from '../../contracts/seal/ledger-line';
import { readEvents } from '../../infra/verifier/export-lines';
import { FirstPass } from '../../infra/verifier/first-pass';
import { questionOf } from '../../infra/verifier/question';
import { feeFacts } from '../bench/fill/fees';
import { writeLines } from './exported';

const FEES = 6_000;
const PER_DAY = 1_000;
const PAGE = 100;
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
  folder = mkdtempSync(join(tmpdir(), 'tidemark-pass-'));
  file = exported('export.ndjson', EVENTS);
});

afterAll(() => rmSync(folder, { recursive: true }));

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
  const pass = new FirstPass(EVENTS.length, questionOf(query, createCalendar('UTC')));
  let passages = 0;
  for await (const passage of readEvents(file)) {
    pass.take(passage);
    passages++;
  }
  expect(passages).toBeGreaterThan(2);
  return (await pass.answer(file)) as never;
}

/** Newest first. */
const rowsOf = (from: number, before: number): { id: string; collection_status: string }[] =>
  facts
    .map(({ id }, n) => ({ id, collection_status: n === LATE ? 'collected' : 'pending' }))
    .slice(from, before)
    .reverse();

describe('rows of an export that is read in many passages', () => {
  it.each([
    ['the first day', 0],
    ['a day in the middle, with a row that comes last', 2],
    ['the last day', FEES / PER_DAY - 1],
  ])('are those of the days asked for: %s', async (_, n) => {
    const { day } = facts[n * PER_DAY]!;
    const query = { action: 'list_fee_ledger', dateFrom: day, dateTo: day, pageSize: PAGE };
    const said = Array.from({ length: PER_DAY / PAGE }, (_page, i) => answer({ ...query, page: i + 1 }));
    const rows = (await Promise.all(said)).flatMap(page => page.rows);
    expect(rows).toMatchObject(rowsOf(n * PER_DAY, (n + 1) * PER_DAY));
    expect(rows).toHaveLength(PER_DAY);
  });

  it('are none where no fee was', async () => {
    const query = { action: 'list_fee_ledger', dateFrom: '2020-01-01', dateTo: '2020-01-31' };
    expect((await answer(query)).rows).toEqual([]);
  });
});

describe('an event that nobody can fold', () => {
  it.each([0, EVENTS.length - 1])('is told as one that is not understood: that at %d', async n => {
    const events = EVENTS.map((event, i) =>
      i === n ? ({ ...event, data: { ...event.data, fee_amount: 'much' } } as FeeEvent) : event,
    );
    const pass = new FirstPass(events.length, questionOf({ action: 'get_revenue' }, createCalendar('UTC')));
    const bad = exported('bad.ndjson', events);
    for await (const passage of readEvents(bad)) pass.take(passage);
    await expect(pass.answer(bad)).rejects.toMatchObject({ outcome: 'unusable' });
  });
});
