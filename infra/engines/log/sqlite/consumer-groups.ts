import type { Database } from '../../sqlite/database';
import { text } from '../../sqlite/statement';
import { retryWhileBusy } from '../../sqlite/retry-while-busy';
import { assignPartitions } from '../assign-partitions';
import type { Partition } from './topics';
import { readJson } from '../../../../contracts/json/read-json';

/** The partitions of a member in a generation of its group. */
export interface Assignment {
  /** Grows with every change of the members or their partitions. */
  readonly generation: number;
  /** Held by this member. */
  readonly assigned: readonly Partition[];
  /** Those of them to release, because they are now due to another member. */
  readonly revoked: readonly Partition[];
}

/**
 * Consumer groups without a coordinator: each member, in whatever process, updates the tables under the write lock. A
 * partition is assigned to at most one member, for as long as the member renews its lease.
 */
export function createConsumerGroups(database: Database, clock: () => Date, leaseMs: number) {
  const addGroup = database.prepare('INSERT INTO groups (name) VALUES (?) ON CONFLICT DO NOTHING');
  const groupId = database.prepare<[number]>('SELECT id FROM groups WHERE name = ?');
  const incrementGeneration = database.prepare('UPDATE groups SET generation = generation + 1 WHERE id = ?');
  const generationOf = database.prepare<[number]>('SELECT generation FROM groups WHERE id = ?');
  const addMember = database.prepare<[number]>(
    'INSERT INTO members (member_group, topics, expires_at) VALUES (?, ?, ?) RETURNING id',
  );
  const renew = database.prepare(
    'UPDATE members SET expires_at = ?2 WHERE id IN (SELECT value FROM json_each(?1))',
  );
  const deleteExpired = database.prepare<[group: number]>(
    'DELETE FROM members WHERE expires_at < ? RETURNING member_group',
  );
  const removeMember = database.prepare('DELETE FROM members WHERE id = ?');
  const membersOf = database.prepare<[number, string]>(
    `SELECT id, ${text('topics')} FROM members WHERE member_group = ?`,
  );
  const deleteOrphaned = database.prepare(
    'DELETE FROM assignments WHERE member_group = ?1 AND member NOT IN (SELECT id FROM members WHERE member_group = ?1)',
  );
  const claim = database.prepare(
    'INSERT INTO assignments (member_group, partition, member) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const release = database.prepare(
    'DELETE FROM assignments WHERE member_group = ? AND partition = ? AND member = ?',
  );
  const assignmentsOf = database.prepare<[number]>('SELECT partition FROM assignments WHERE member = ?');
  const offset = database.prepare<[number]>(
    'SELECT next_offset FROM committed_offsets WHERE member_group = ? AND partition = ?',
  );

  /** Members end with the machine, and their leases with them. */
  const write = <Result>(body: () => Result): Promise<Result> =>
    retryWhileBusy(() => database.transaction(body, { durable: false }));
  const now = (): number => clock().getTime();
  /** @returns how many of them have not expired */
  const renewed = (members: readonly number[]): number =>
    renew.run([JSON.stringify(members), now() + leaseMs]).changes;
  const removeExpired = (): void => {
    const groups = new Set(deleteExpired.all([now()]).map(([group]) => group));
    for (const group of groups) {
      deleteOrphaned.run([group]);
      incrementGeneration.run([group]);
    }
  };

  return {
    /** Joins as a new member. */
    join: (name: string, topics: readonly string[]): Promise<{ group: number; member: number }> =>
      write(() => {
        addGroup.run([name]);
        const [group] = groupId.get([name])!;
        const [member] = addMember.get([group, JSON.stringify(topics), now() + leaseMs])!;
        incrementGeneration.run([group]);
        return { group, member };
      }),

    /** Renews the lease, removes expired members and claims free partitions. Null when this member itself has expired. */
    claim: (group: number, member: number, partitions: readonly Partition[]): Promise<Assignment | null> =>
      write(() => {
        if (renewed([member]) === 0) return null;
        removeExpired();
        const members = membersOf
          .all([group])
          .map(([id, topics]) => ({ id, topics: readJson(topics) as string[] }));
        const due = assignPartitions(member, members, partitions);
        for (const { id } of due) claim.run([group, id, member]);
        const claimed = new Set(assignmentsOf.all([member]).map(([id]) => id));
        const assigned = partitions.filter(({ id }) => claimed.has(id));
        return {
          generation: generationOf.get([group])![0],
          assigned,
          revoked: assigned.filter(partition => !due.includes(partition)),
        };
      }),

    /** Renews the leases of members that have not expired, and removes expired ones of all groups. */
    renew: (members: readonly number[]): Promise<void> =>
      write(() => {
        renewed(members);
        removeExpired();
      }),

    release: (group: number, member: number, partition: number): Promise<void> =>
      write(() => {
        if (release.run([group, partition, member]).changes > 0) incrementGeneration.run([group]);
      }),

    leave: (group: number, member: number): Promise<void> =>
      write(() => {
        removeMember.run([member]);
        deleteOrphaned.run([group]);
        incrementGeneration.run([group]);
      }),

    /** The offset from which the group continues; 0 when it has committed none. */
    committedOffset: (group: number, partition: number): number => offset.get([group, partition])?.[0] ?? 0,
    /** The id of a group; null when no member has ever joined it. */
    find: (name: string): number | null => groupId.get([name])?.[0] ?? null,
  };
}

export type ConsumerGroups = ReturnType<typeof createConsumerGroups>;
