import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { watchPlans } from '../../../../test/query-plans';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { openDatabase } from '../../sqlite/database';
import { ensureSchema } from '../../sqlite/schema';
import { validateAppend } from '../validate-append';
import { createReader } from './reader';
import { SCHEMA, SCHEMA_VERSION } from './schema';
import { createWriter } from './writer';

const folder = temporaryFolder();
const database = openDatabase(join(folder, 'events.db'));
afterAll(() => database.close());

test('no statement of the event store scans a table or sorts', async () => {
  ensureSchema(database, SCHEMA_VERSION, SCHEMA);
  const plans = watchPlans(database);
  const writer = createWriter(plans.database, () => new Date());
  const reader = createReader(plans.database);

  const event = { id: randomUUID(), type: 'happened', data: {} };
  writer.append([validateAppend('fee-1', 'no_stream', [event])]);
  writer.append([validateAppend('fee-1', 'no_stream', [event]), validateAppend('fee-1', 'any', [event])]);
  for (const direction of ['forwards', 'backwards'] as const) {
    for await (const { stream } of reader.readStream('fee-1', { direction })) expect(stream).toBe('fee-1');
    for (const categories of [undefined, ['fee'], ['fee', 'invoice'], ['fee', 'invoice', 'settlement']]) {
      let seen = 0;
      for await (const batch of reader.readAll({ direction, ...(categories && { categories }) }))
        seen += batch.length;
      expect(seen).toBe(1);
    }
  }
  writer.deleteUpTo('fee-1', 0);

  expect(plans.statements().length).toBeGreaterThan(15);
  // The page of positions found by the indexes.
  expect(plans.scanned()).toEqual(new Set(['found']));
  expect(plans.sorting()).toEqual([]);
});
