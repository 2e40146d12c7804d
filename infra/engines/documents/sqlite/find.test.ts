import { join } from 'node:path';
import fc from 'fast-check';
import {
  arbitraryDice,
  arbitraryDocuments,
  INDEXES,
  queryFrom,
} from '../../../../test/contracts/documents/model';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { openDatabase } from '../../sqlite/database';
import { planQuery } from '../query-plan';
import {
  type IndexSpec,
  type Query,
  type Scalar,
  UnanswerableQuery,
} from '../../../../contracts/ports/documents';
import { rangesAfter } from '../index-ranges';
import { openSqliteDocuments } from './sqlite-documents';
import { selectSql } from './find';
import { runs } from '../../../../test/random';

const folder = temporaryFolder();
const path = join(folder, 'documents.db');
const documents = openSqliteDocuments({ path });
const database = openDatabase(path);
beforeAll(() => documents.declare([{ name: 'things', indexes: INDEXES }]));
afterAll(async () => {
  database.close();
  await documents.close();
});

/** SQLite's plan for each statement of a query, or of its continuation after a key. */
const plansOf = (
  query: Query,
  key?: readonly Scalar[],
  indexes: readonly IndexSpec[] = INDEXES,
): string[][] => {
  const plan = planQuery(query, indexes);
  return rangesAfter(plan, key).flatMap(range => {
    const sql = selectSql('things', plan, range, 'body');
    if (!sql) return [];
    const rows = database
      .prepare<[number, number, number, string]>(`EXPLAIN QUERY PLAN ${sql.text}`)
      .all([...sql.parameters, query.limit, 0]);
    // Around the query, the bodies are joined.
    return [rows.slice(1, -1).map(([, , , detail]) => detail)];
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
      'the next page',
      { filter: { kind: 'fee' }, order: [['number', 'desc']], limit: 9 },
      [5, 'a'],
      [
        [`SEARCH things ${BY_KIND} ($.kind=? AND $.number=? AND id<?)`],
        [`SEARCH things ${BY_KIND} ($.kind=? AND $.number<?)`],
        [`SEARCH things ${BY_KIND} ($.kind=? AND $.number=?)`],
      ],
    ],
    [
      'the next page of a range',
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
  ])('%s', (_, query, key, plans) => {
    expect(plansOf(query, key)).toEqual(plans);
  });

  test('never sort, and scan a whole index only for all documents', () => {
    fc.assert(
      fc.property(arbitraryDocuments, arbitraryDice, fc.boolean(), (documents, dice, isContinued) => {
        const query = { ...queryFrom(documents, dice), limit: 10 };
        const { order } = planQuery(query, INDEXES);
        const key = order.map(([field], i) =>
          field === '_id' || i === 0 ? 'm' : field === 'number' ? 1 : null,
        );
        const details = plansOf(query, isContinued ? key : undefined).flat();
        expect(details.filter(detail => /TEMP B-TREE|AUTOMATIC/.test(detail))).toEqual([]);
        if (isContinued || Object.keys(query.filter ?? {}).length > 0)
          expect(details.filter(detail => /^SCAN (?!\(subquery)/.test(detail))).toEqual([]);
      }),
      runs(100),
    );
  });
});

describe('a query that is repeated', () => {
  const query = { filter: { text: 'a' }, limit: 9 };
  const declared = (name: string, indexes: readonly IndexSpec[]) => documents.declare([{ name, indexes }]);

  test('is planned again when its collection was declared again with other indexes', async () => {
    await declared('repeated', [{ fields: [['text', 'asc']] }]);
    await documents.find('repeated', query);
    await documents.drop('repeated');
    await declared('repeated', []);
    await expect(documents.find('repeated', query)).rejects.toThrow(UnanswerableQuery);
    await declared('repeated', [
      {
        fields: [
          ['text', 'asc'],
          ['_id', 'desc'],
        ],
      },
    ]);
    const descending = { ...query, order: [['_id', 'desc']] } as const;
    expect(await documents.find('repeated', descending)).toEqual({ documents: [], next: null });
  });

  test.each([
    ['undefined', {}, { text: undefined }],
    ['a bound of undefined', { text: { gt: 'a' } }, { text: { gt: 'a', lt: undefined } }],
    ['not a number', { text: null }, { text: NaN }],
  ])('is not mistaken for one with %s', async (_, filter, other) => {
    const like = { order: [['text', 'asc']], limit: 9 } as const;
    await documents.find('things', { ...like, filter });
    const mistaken = documents.find('things', { ...like, filter: other } as unknown as Query);
    await expect(mistaken).rejects.toThrow(UnanswerableQuery);
  });
});
