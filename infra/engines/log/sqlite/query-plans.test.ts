import { join } from 'node:path';
import { watchPlans } from '../../../../test/query-plans';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { openDatabase } from '../../sqlite/database';
import { ensureSchema } from '../../sqlite/schema';
import { watchCounters } from './watched-counters';
import { createConsumerGroups } from './consumer-groups';
import { createDelete } from './delete-messages';
import { createPartitionReader } from './partition-reader';
import { SCHEMA, END_OFFSETS_SQL, GENERATIONS_SQL, SCHEMA_VERSION } from './schema';
import { createTopics } from './topics';
import { createWriter } from './writer';

const folder = temporaryFolder();
const database = openDatabase(join(folder, 'log.db'));
afterAll(() => database.close());

test('no statement of the log scans messages, offsets or assignments, or sorts', () => {
  ensureSchema(database, SCHEMA_VERSION, SCHEMA);
  const plans = watchPlans(database);
  const clock = (): Date => new Date();
  createTopics(plans.database);
  createWriter(plans.database, clock, 1_000);
  createDelete(plans.database);
  createConsumerGroups(plans.database, clock, 1_000);
  createPartitionReader(plans.database, watchCounters(plans.database, END_OFFSETS_SQL));
  watchCounters(plans.database, GENERATIONS_SQL);

  expect(plans.statements().length).toBeGreaterThan(25);
  // A few rows each: topics for the retention, members for those that have expired, and the watched counters.
  expect(plans.scanned()).toEqual(new Set(['t', 'partitions', 'groups', 'members']));
  expect(plans.sorting()).toEqual([]);
});
