import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../sqlite/database';
import { layOut } from '../../sqlite/schema';
import { createGroups, type Groups } from './groups';
import { DDL, LAYOUT } from './schema';
import { createTopics, type Partition } from './topics';
import { createWriter } from './writer';

const LEASE = 1_000;
const folder = mkdtempSync(join(tmpdir(), 'log-leases-'));
let database: Database;
let groups: Groups;
let partitions: Partition[];
let now = 0;
let files = 0;

beforeEach(async () => {
  database = openDatabase(join(folder, `${(files += 1)}.db`));
  layOut(database, LAYOUT, DDL);
  groups = createGroups(database, () => new Date(now), LEASE);
  const topics = createTopics(database);
  await topics.declare([{ name: 'topic', partitions: 4, cleanup: 'delete' }]);
  partitions = topics.partitionsOf(['topic']);
});
afterEach(() => database.close());
afterAll(() => rmSync(folder, { recursive: true }));

const join_ = () => groups.join('group', ['topic']);
const numbers = (list: readonly Partition[] | undefined): number[] | undefined =>
  list?.map(({ number }) => number);

test('a member claims what is free and due, and asks nobody for more than that', async () => {
  const one = await join_();
  expect(numbers((await groups.attend(one.group, one.member, partitions))?.held)).toEqual([0, 1, 2, 3]);
  const two = await join_();
  expect(numbers((await groups.attend(two.group, two.member, partitions))?.held)).toEqual([]);
  const standing = await groups.attend(one.group, one.member, partitions);
  expect(numbers(standing?.surplus)).toEqual([1, 3]);
  for (const { id } of standing!.surplus) await groups.release(one.group, one.member, id);
  expect(numbers((await groups.attend(two.group, two.member, partitions))?.held)).toEqual([1, 3]);
  expect(numbers((await groups.attend(one.group, one.member, partitions))?.held)).toEqual([0, 2]);
});

test('the generation grows when somebody joins, leaves, dies or gives back, and otherwise not', async () => {
  const one = await join_();
  const generation = async (): Promise<number> =>
    (await groups.attend(one.group, one.member, partitions))!.generation;
  const first = await generation();
  expect(await generation()).toBe(first);
  const two = await join_();
  expect(await generation()).toBe(first + 1);
  await groups.release(one.group, one.member, partitions[1]!.id);
  expect(await generation()).toBe(first + 2);
  await groups.release(one.group, one.member, partitions[1]!.id);
  expect(await generation()).toBe(first + 2);
  await groups.leave(two.group, two.member);
  expect(await generation()).toBe(first + 3);
  await join_();
  now += LEASE / 2;
  await generation();
  now += LEASE / 2 + 1;
  expect(await generation()).toBe(first + 5);
});

test('a member that did not renew its lease in time is given up, and cannot acknowledge any more', async () => {
  const write = createWriter(database, () => new Date(now), Infinity);
  const [stalled, lively] = [await join_(), await join_()];
  const { group } = stalled;
  const held = (await groups.attend(group, stalled.member, partitions))!.held;
  expect(numbers(held)).toEqual([0, 2]);
  const partition = held[0]!.id;
  expect(write([{ group, partition, member: stalled.member, next: 5 }])).toEqual([true]);

  now += LEASE;
  expect(await groups.renew(lively.member)).toBe(true);
  now += 1;
  expect(numbers((await groups.attend(group, lively.member, partitions))?.held)).toEqual([0, 1, 2, 3]);
  expect(write([{ group, partition, member: stalled.member, next: 9 }])).toEqual([false]);
  expect(groups.committed(group, partition)).toBe(5);
  expect(await groups.renew(stalled.member)).toBe(false);
  expect(await groups.attend(group, stalled.member, partitions)).toBeNull();
});

test('an id is never given twice', async () => {
  const one = await join_();
  await groups.leave(one.group, one.member);
  expect((await join_()).member).toBeGreaterThan(one.member);
});

test('groups do not mind each other', async () => {
  const [one, other] = [await join_(), await groups.join('other', ['topic'])];
  expect(numbers((await groups.attend(one.group, one.member, partitions))?.held)).toHaveLength(4);
  expect(numbers((await groups.attend(other.group, other.member, partitions))?.held)).toHaveLength(4);
});
