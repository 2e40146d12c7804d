import { join } from 'node:path';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { type Database, openDatabase } from '../../sqlite/database';
import { ensureSchema } from '../../sqlite/schema';
import { createConsumerGroups, type ConsumerGroups } from './consumer-groups';
import { SCHEMA, SCHEMA_VERSION } from './schema';
import { createTopics, type Partition } from './topics';
import { createWriter } from './writer';

const LEASE_MS = 1_000;
const folder = temporaryFolder();
let database: Database;
let groups: ConsumerGroups;
let partitions: Partition[];
let now = 0;
let files = 0;

beforeEach(async () => {
  database = openDatabase(join(folder, `${(files += 1)}.db`));
  ensureSchema(database, SCHEMA_VERSION, SCHEMA);
  groups = createConsumerGroups(database, () => new Date(now), LEASE_MS);
  const topics = createTopics(database);
  await topics.declare([{ name: 'topic', partitions: 4, cleanup: 'delete' }]);
  partitions = topics.partitionsOf(['topic']);
});
afterEach(() => database.close());

const joinGroup = () => groups.join('group', ['topic']);
const numbers = (list: readonly Partition[] | undefined): number[] | undefined =>
  list?.map(({ number }) => number);

test('a member claims only free partitions that are due to it', async () => {
  const one = await joinGroup();
  expect(numbers((await groups.claim(one.group, one.member, partitions))?.assigned)).toEqual([0, 1, 2, 3]);
  const two = await joinGroup();
  expect(numbers((await groups.claim(two.group, two.member, partitions))?.assigned)).toEqual([]);
  const assignment = await groups.claim(one.group, one.member, partitions);
  expect(numbers(assignment?.revoked)).toEqual([1, 3]);
  for (const { id } of assignment!.revoked) await groups.release(one.group, one.member, id);
  expect(numbers((await groups.claim(two.group, two.member, partitions))?.assigned)).toEqual([1, 3]);
  expect(numbers((await groups.claim(one.group, one.member, partitions))?.assigned)).toEqual([0, 2]);
});

test('the generation grows only when a member joins, leaves, expires or releases a partition', async () => {
  const one = await joinGroup();
  const generation = async (): Promise<number> =>
    (await groups.claim(one.group, one.member, partitions))!.generation;
  const first = await generation();
  expect(await generation()).toBe(first);
  const two = await joinGroup();
  expect(await generation()).toBe(first + 1);
  await groups.release(one.group, one.member, partitions[1]!.id);
  expect(await generation()).toBe(first + 2);
  await groups.release(one.group, one.member, partitions[1]!.id);
  expect(await generation()).toBe(first + 2);
  await groups.leave(two.group, two.member);
  expect(await generation()).toBe(first + 3);
  await joinGroup();
  now += LEASE_MS / 2;
  await generation();
  now += LEASE_MS / 2 + 1;
  expect(await generation()).toBe(first + 5);
});

test('a member that did not renew its lease in time is removed, and can no longer commit', async () => {
  const write = createWriter(database, () => new Date(now), Infinity);
  const [stalled, lively] = [await joinGroup(), await joinGroup()];
  const { group } = stalled;
  const held = (await groups.claim(group, stalled.member, partitions))!.assigned;
  expect(numbers(held)).toEqual([0, 2]);
  const partition = held[0]!.id;
  expect(write([{ group, partition, member: stalled.member, nextOffset: 5 }])).toEqual([true]);

  now += LEASE_MS;
  await groups.renew([lively.member]);
  now += 1;
  expect(numbers((await groups.claim(group, lively.member, partitions))?.assigned)).toEqual([0, 1, 2, 3]);
  expect(write([{ group, partition, member: stalled.member, nextOffset: 9 }])).toEqual([false]);
  expect(groups.committedOffset(group, partition)).toBe(5);
  await groups.renew([stalled.member]);
  expect(await groups.claim(group, stalled.member, partitions)).toBeNull();
});

test('members that renew their leases remove those that did not, of other groups too', async () => {
  const [stalled, waiting] = [await joinGroup(), await joinGroup()];
  const elsewhere = await groups.join('other', ['topic']);
  await groups.claim(stalled.group, stalled.member, partitions);
  const { generation } = (await groups.claim(waiting.group, waiting.member, partitions))!;

  now += LEASE_MS;
  await groups.renew([waiting.member, elsewhere.member]);
  now += 1;
  await groups.renew([elsewhere.member]);
  // What the waiting member watches.
  const [grown] = database
    .prepare<[number]>('SELECT generation FROM groups WHERE id = ?')
    .get([waiting.group])!;
  expect(grown).toBe(generation + 1);
  expect(numbers((await groups.claim(waiting.group, waiting.member, partitions))?.assigned)).toEqual([
    0, 1, 2, 3,
  ]);
});

test('a member id is never reused', async () => {
  const one = await joinGroup();
  await groups.leave(one.group, one.member);
  expect((await joinGroup()).member).toBeGreaterThan(one.member);
});

test('groups are independent', async () => {
  const [one, other] = [await joinGroup(), await groups.join('other', ['topic'])];
  expect(numbers((await groups.claim(one.group, one.member, partitions))?.assigned)).toHaveLength(4);
  expect(numbers((await groups.claim(other.group, other.member, partitions))?.assigned)).toHaveLength(4);
});
