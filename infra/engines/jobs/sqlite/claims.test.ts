import { join } from 'node:path';
import { idle, until } from '../../../../test/contracts/jobs/harness';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { type Database, openDatabase } from '../../sqlite/database';
import { openSqliteJobs } from './sqlite-jobs';
import { openClaims } from './claims';
import { openSchedules } from './schedules';

const DAY = 86_400_000;
const folder = temporaryFolder();

test('delays, kept ids and kept failures end by the given clock', async () => {
  let now = 1_000 * DAY;
  const jobs = openSqliteJobs({ path: join(folder, 'clock.db'), clock: () => now });
  const stop = new AbortController();
  const ran: string[] = [];
  const work = jobs.work({ queue: 'q', signal: stop.signal }, async ({ id }) => {
    ran.push(id);
    if (id === 'broken') throw new Error('broken');
  });
  await jobs.add({ queue: 'q', id: 'tomorrow', data: {}, delayMs: DAY, keepIdMs: DAY });
  await jobs.add({ queue: 'q', id: 'broken', data: {}, attempts: 1 });
  await until(async () => (await jobs.counts('q')).failed === 1);
  expect(ran).toEqual(['broken']);

  now += DAY;
  await jobs.add({ queue: 'q', id: 'wake', data: {} });
  await until(() => idle(jobs));
  expect(ran).toEqual(['broken', 'tomorrow', 'wake']);
  expect(await jobs.add({ queue: 'q', id: 'tomorrow', data: {} })).toBe(false);

  now += DAY;
  expect(await jobs.add({ queue: 'q', id: 'tomorrow', data: {} })).toBe(true);
  await until(() => idle(jobs));
  expect(await jobs.failures('q', 1)).toHaveLength(1);

  now += 30 * DAY;
  await jobs.add({ queue: 'q', id: 'wake', data: {} });
  await until(() => idle(jobs));
  expect(await jobs.failures('q', 1)).toEqual([]);
  stop.abort();
  await work;
  await jobs.close();
});

test('every statement uses an index', async () => {
  const path = join(folder, 'plans.db');
  const jobs = openSqliteJobs({ path });
  const database = openDatabase(path);
  const prepared: string[] = [];
  const recording: Database = {
    ...database,
    prepare: sql => {
      prepared.push(sql);
      return database.prepare(sql);
    },
  };
  openClaims(recording, openSchedules(recording));
  expect(prepared.length).toBeGreaterThan(5);
  for (const sql of prepared) {
    const parameters = new Set(sql.match(/\?\d*/g)?.map((name, i) => (name === '?' ? i : name))).size;
    const plan = database
      .prepare<[number, number, number, string]>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(Array.from({ length: parameters }, () => 1))
      .map(([, , , detail]) => detail);
    expect(
      plan.filter(detail => /SCAN (?!\(subquery|CONSTANT)|TEMP B-TREE|\(queue=\?\)/.test(detail)),
    ).toEqual([]);
  }
  database.close();
  await jobs.close();
});
