import type { Database } from '../../sqlite/database';
import { patiently } from '../../sqlite/patience';
import { dueTo } from '../assignment';
import type { Partition } from './topics';

/** What a member may do now. */
export interface Standing {
  /** Grows with every change among the members or their claims. */
  readonly generation: number;
  /** The partitions that are its own. */
  readonly held: readonly Partition[];
  /** Those of them that others are waiting for. */
  readonly surplus: readonly Partition[];
}

/**
 * Membership of consumer groups without a coordinator: whoever comes by, in whatever process, puts the tables in order
 * under the write lock. A partition has at most one claim, and a claim lives as long as its member's lease.
 */
export function createGroups(database: Database, clock: () => Date, lease: number) {
  const addGroup = database.prepare('INSERT INTO groups (name) VALUES (?) ON CONFLICT DO NOTHING');
  const groupId = database.prepare<[number]>('SELECT id FROM groups WHERE name = ?');
  const bump = database.prepare('UPDATE groups SET generation = generation + 1 WHERE id = ?');
  const generationOf = database.prepare<[number]>('SELECT generation FROM groups WHERE id = ?');
  const addMember = database.prepare<[number]>(
    'INSERT INTO members (member_group, topics, expires) VALUES (?, ?, ?) RETURNING id',
  );
  const renew = database.prepare('UPDATE members SET expires = ?2 WHERE id = ?1');
  const expire = database.prepare('DELETE FROM members WHERE member_group = ? AND expires < ?');
  const removeMember = database.prepare('DELETE FROM members WHERE id = ?');
  const membersOf = database.prepare<[number, string]>(
    'SELECT id, topics FROM members WHERE member_group = ?',
  );
  const dropOrphans = database.prepare(
    'DELETE FROM claims WHERE member_group = ?1 AND member NOT IN (SELECT id FROM members WHERE member_group = ?1)',
  );
  const claim = database.prepare(
    'INSERT INTO claims (member_group, partition, member) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const release = database.prepare(
    'DELETE FROM claims WHERE member_group = ? AND partition = ? AND member = ?',
  );
  const claimsOf = database.prepare<[number]>('SELECT partition FROM claims WHERE member = ?');
  const offset = database.prepare<[number]>(
    'SELECT next FROM offsets WHERE member_group = ? AND partition = ?',
  );

  const write = <Result>(body: () => Result): Promise<Result> => patiently(() => database.transaction(body));
  const now = (): number => clock().getTime();

  return {
    /** Joins under a fresh id. */
    join: (name: string, topics: readonly string[]): Promise<{ group: number; member: number }> =>
      write(() => {
        addGroup.run([name]);
        const [group] = groupId.get([name])!;
        const [member] = addMember.get([group, JSON.stringify(topics), now() + lease])!;
        bump.run([group]);
        return { group, member };
      }),

    /** Renews the lease, buries the dead, claims what is due and free. Null when this member itself was given up. */
    attend: (group: number, member: number, partitions: readonly Partition[]): Promise<Standing | null> =>
      write(() => {
        if (renew.run([member, now() + lease]).changes === 0) return null;
        if (expire.run([group, now()]).changes > 0) {
          dropOrphans.run([group]);
          bump.run([group]);
        }
        const members = membersOf
          .all([group])
          .map(([id, topics]) => ({ id, topics: JSON.parse(topics) as string[] }));
        const due = dueTo(member, members, partitions);
        for (const { id } of due) claim.run([group, id, member]);
        const claims = new Set(claimsOf.all([member]).map(([id]) => id));
        const held = partitions.filter(({ id }) => claims.has(id));
        return {
          generation: generationOf.get([group])![0],
          held,
          surplus: held.filter(partition => !due.includes(partition)),
        };
      }),

    /** False when the member was given up. */
    renew: (member: number): Promise<boolean> =>
      write(() => renew.run([member, now() + lease]).changes === 1),

    release: (group: number, member: number, partition: number): Promise<void> =>
      write(() => {
        if (release.run([group, partition, member]).changes > 0) bump.run([group]);
      }),

    leave: (group: number, member: number): Promise<void> =>
      write(() => {
        removeMember.run([member]);
        dropOrphans.run([group]);
        bump.run([group]);
      }),

    /** Where the group goes on in a partition: 0 when it has not been there. */
    committed: (group: number, partition: number): number => offset.get([group, partition])?.[0] ?? 0,
    /** Null when nobody has ever joined it. */
    find: (name: string): number | null => groupId.get([name])?.[0] ?? null,
  };
}

export type Groups = ReturnType<typeof createGroups>;
