import { openDatabase } from '../../sqlite/database';
import { createMessageIndex } from './message-index';
import { IDS_SQL } from './read-page';
import { SCHEMA } from './schema';

test('the ids of a page are found through the index of the mailbox', () => {
  const db = openDatabase(':memory:');
  db.exec(SCHEMA);
  createMessageIndex(db);
  const plan = db
    .prepare<[unknown, unknown, unknown, detail: string]>(`EXPLAIN QUERY PLAN ${IDS_SQL}`)
    .all(['["bob"]', 0, 0, 10])
    .map(row => row[3]);
  expect(plan.join('\n')).toMatch(/COVERING INDEX messages_by_mailbox \(mailbox=\? AND id>\?\)/);
  expect(plan.filter(detail => /SCAN (m|b|messages)\b/.test(detail))).toEqual([]);
  db.close();
});
