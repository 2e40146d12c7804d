import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchPlans } from '../../../../test/query-plans';
import { openDatabase } from '../../sqlite/database';
import { layOut } from '../../sqlite/schema';
import { createCounters } from './counters';
import { createGroups } from './groups';
import { createPartitionReader } from './partition-reader';
import { DDL, ENDS_SQL, GENERATIONS_SQL, LAYOUT } from './schema';
import { createTopics } from './topics';
import { createWriter } from './writer';

const folder = mkdtempSync(join(tmpdir(), 'log-plans-'));
const database = openDatabase(join(folder, 'log.db'));
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

test('no statement of the log reads messages, offsets, members or claims from end to end, or sorts', () => {
  layOut(database, LAYOUT, DDL);
  const plans = watchPlans(database);
  const clock = (): Date => new Date();
  createTopics(plans.database);
  createWriter(plans.database, clock, 1_000);
  createGroups(plans.database, clock, 1_000);
  createPartitionReader(plans.database, createCounters(plans.database, ENDS_SQL));
  createCounters(plans.database, GENERATIONS_SQL);

  expect(plans.statements().length).toBeGreaterThan(25);
  // A few rows each: topics for the retention, the counters of what grew.
  expect(plans.scanned()).toEqual(new Set(['t', 'partitions', 'groups']));
  expect(plans.sorting()).toEqual([]);
});
