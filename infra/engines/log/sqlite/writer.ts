import type { Database } from '../../sqlite/database';
import { isStorableText } from '../../sqlite/bind-values';
import { partitionOf } from '../partitioner';
import type { NewMessage } from '../../../../contracts/ports/log';
import { checksumOf, joinText } from './checksum';
import { createRetention } from './retention';
import { createTombstoneSweep } from './tombstones';
import type { Topic } from './topics';

/** Messages for one topic, appended together. */
export interface Publication {
  readonly topic: Topic;
  readonly messages: readonly NewMessage[];
}

/** Commits `nextOffset` for the group, if the partition is still assigned to `member`. */
export interface OffsetCommit {
  readonly group: number;
  readonly partition: number;
  readonly member: number;
  readonly nextOffset: number;
}

export type LogWrite = Publication | OffsetCommit;

/** @throws TypeError for a message that cannot be stored */
export function checkMessage({ key, value, headers = {} }: NewMessage): void {
  if (!isStorableText(key)) throw new TypeError('a key must be text without U+0000 and lone surrogates');
  if (!(value instanceof Uint8Array)) throw new TypeError('a value must be bytes');
  for (const [name, text] of Object.entries(headers))
    if (typeof text !== 'string') throw new TypeError(`header ${name} must be text`);
}

/**
 * Writes a group in one transaction. The result of an offset commit is whether the partition was still assigned to the
 * member.
 */
export function createWriter(
  database: Database,
  clock: () => Date,
  retentionMs: number,
): (entries: readonly LogWrite[]) => boolean[] {
  const deleteExpired = createRetention(database, retentionMs);
  const deleteTombstones = createTombstoneSweep(database);
  const endOffsetOf = database.prepare<[number]>('SELECT end_offset FROM partitions WHERE id = ?');
  const setEndOffset = database.prepare('UPDATE partitions SET end_offset = ?2 WHERE id = ?1');
  // All values are one parameter: slicing it is cheaper than a parameter each, and JSON cannot hold bytes. SQLite turns
  // an empty slice into NULL.
  const insert = database.prepare(
    `INSERT INTO messages (partition, offset, key, value, headers, timestamp, compaction_key, checksum)
     SELECT value ->> 0, value ->> 1, value ->> 2, coalesce(substr(?2, value ->> 3, value ->> 4), x''), value ->> 5, ?3, value ->> 6,
       value ->> 7
     FROM json_each(?1)`,
  );
  const compact = database.prepare(
    `DELETE FROM messages WHERE id IN (
       SELECT m.id FROM json_each(?) AS last CROSS JOIN messages AS m
       ON m.partition = last.value ->> 0 AND m.compaction_key = last.value ->> 1 AND m.offset < last.value ->> 2)`,
  );
  const commitOffset = database.prepare(
    `INSERT INTO committed_offsets (member_group, partition, next_offset) SELECT member_group, partition, ?4 FROM assignments
     WHERE member_group = ?1 AND partition = ?2 AND member = ?3
     ON CONFLICT DO UPDATE SET next_offset = excluded.next_offset`,
  );

  const publish = (publications: readonly Publication[]): void => {
    const ends = new Map<number, number>();
    const last = new Map<string, [partition: number, key: string, offset: number]>();
    const values: Uint8Array[] = [];
    const rows: unknown[][] = [];
    let start = 1;
    const now = clock().getTime();
    for (const { topic, messages } of publications)
      for (const { key, value, headers = {} } of messages) {
        const partition = topic.partitions[partitionOf(key, topic.partitions.length)]!;
        const offset = ends.get(partition) ?? endOffsetOf.get([partition])![0];
        const compactionKey = topic.cleanup === 'compact' ? key : null;
        const headersJson = JSON.stringify(headers);
        const checksum = checksumOf(partition, offset, now, joinText(key, headersJson), value);
        rows.push([partition, offset, key, start, value.length, headersJson, compactionKey, checksum]);
        values.push(value);
        ends.set(partition, offset + 1);
        start += value.length;
        if (compactionKey !== null) last.set(`${partition}/${key}`, [partition, key, offset]);
      }
    insert.run([JSON.stringify(rows), Buffer.concat(values), now]);
    for (const end of ends) setEndOffset.run(end);
    deleteExpired(now);
    deleteTombstones(now);
    if (last.size > 0) compact.run([JSON.stringify([...last.values()])]);
  };

  return entries => {
    const publications = entries.filter(entry => 'messages' in entry);
    const write = (): boolean[] => {
      if (publications.length > 0) publish(publications);
      return entries.map(
        entry =>
          'messages' in entry ||
          commitOffset.run([entry.group, entry.partition, entry.member, entry.nextOffset]).changes === 1,
      );
    };
    // An offset that is lost with the machine only makes its batch be delivered again.
    return database.transaction(write, { durable: publications.length > 0 });
  };
}
