import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  arbitraryDice,
  arbitraryDocuments,
  INDEXES,
  queryFrom,
} from '../../../../test/contracts/documents/model';
import { openDatabase } from '../../sqlite/database';
import { planOf } from '../plan';
import type { IndexSpec, Query, Scalar } from '../../../../contracts/ports/documents';
import { slicesOf } from '../slices';
import { openSqliteDocuments } from './sqlite-documents';
import { selectSql } from './select';

const folder = mkdtempSync(join(tmpdir(), 'plans-'));
const path = join(folder, 'documents.db');
const documents = openSqliteDocuments({ path });
const database = openDatabase(path);
beforeAll(() => documents.declare([{ name: 'things', indexes: INDEXES }]));
afterAll(async () => {
  database.close();
  await documents.close();
  rmSync(folder, { recursive: true });
});

/** The query plan of each statement that a query, or going on with it after a place, is made of. */
const plansOf = (
  query: Query,
  place?: readonly Scalar[],
  indexes: readonly IndexSpec[] = INDEXES,
): string[][] => {
  const plan = planOf(query, indexes);
  return slicesOf(plan, place).flatMap(slice => {
    const sql = selectSql('things', plan, slice, query.limit, 0);
    if (!sql) return [];
    const rows = database
      .prepare<[number, number, number, string]>(`EXPLAIN QUERY PLAN ${sql.text}`)
      .all(sql.parameters);
    return [rows.map(([, , , detail]) => detail)];
  });
};

const BY_TEXT = 'USING INDEX things by text asc, _id asc';
const BY_KIND = 'USING INDEX things by kind asc, number desc, _id desc';
const BY_ID = 'USING INDEX sqlite_autoindex_things_1';

describe('query plans', () => {
  test.each<[string, Query, readonly Scalar[] | undefined, string[][]]>([
    [
      'an equality',
      { filter: { text: 'a' }, limit: 9 },
      undefined,
      [[`SEARCH things ${BY_TEXT} ($.text=?)`]],
    ],
    [
      'missing values',
      { filter: { text: null }, limit: 9 },
      undefined,
      [[`SEARCH things ${BY_TEXT} ($.text=?)`]],
    ],
    [
      'a range',
      { filter: { text: { gte: 'a', lt: 'b' } }, order: [['text', 'desc']], limit: 9 },
      undefined,
      [[`SEARCH things ${BY_TEXT} ($.text>? AND $.text<?)`]],
    ],
    ['an order', { order: [['text', 'desc']], limit: 9 }, undefined, [[`SCAN things ${BY_TEXT}`]]],
    ['no order', { limit: 9 }, undefined, [[`SCAN things ${BY_ID}`]]],
    ['an id', { filter: { _id: 'a' }, limit: 9 }, undefined, [[`SEARCH things ${BY_ID} (id=?)`]]],
    [
      'going on',
      { filter: { kind: 'fee' }, order: [['number', 'desc']], limit: 9 },
      [5, 'a'],
      [
        [`SEARCH things ${BY_KIND} ($.kind=? AND $.number=? AND id<?)`],
        [`SEARCH things ${BY_KIND} ($.kind=? AND $.number<?)`],
        [`SEARCH things ${BY_KIND} ($.kind=? AND $.number=?)`],
      ],
    ],
    [
      'going on in a range',
      { filter: { kind: 'fee', number: { lte: 7, gt: 0 } }, order: [['number', 'desc']], limit: 9 },
      [5, 'a'],
      [
        [`SEARCH things ${BY_KIND} ($.kind=? AND $.number=? AND id<?)`],
        [`SEARCH things ${BY_KIND} ($.kind=? AND $.number>? AND $.number<?)`],
      ],
    ],
    [
      'a merge',
      { filter: { kind: { in: ['fee', 'tip'] } }, order: [['number', 'asc']], limit: 9 },
      undefined,
      [
        [
          'MERGE (UNION ALL)',
          'LEFT',
          `SEARCH things ${BY_KIND} ($.kind=?)`,
          'RIGHT',
          `SEARCH things ${BY_KIND} ($.kind=?)`,
        ],
      ],
    ],
  ])('%s', (_, query, place, plans) => {
    expect(plansOf(query, place)).toEqual(plans);
  });

  test('never sort, and read an index all through only for all documents', () => {
    fc.assert(
      fc.property(arbitraryDocuments, arbitraryDice, fc.boolean(), (documents, dice, goesOn) => {
        const query = { ...queryFrom(documents, dice), limit: 10 };
        const { order } = planOf(query, INDEXES);
        const place = order.map(([field], i) =>
          field === '_id' || i === 0 ? 'm' : field === 'number' ? 1 : null,
        );
        const details = plansOf(query, goesOn ? place : undefined).flat();
        expect(details.filter(detail => /TEMP B-TREE|AUTOMATIC/.test(detail))).toEqual([]);
        if (goesOn || Object.keys(query.filter ?? {}).length > 0)
          expect(details.filter(detail => detail.startsWith('SCAN'))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
