import type { Database } from '../../sqlite/database';
import { isStorableText } from '../../sqlite/values';
import { partitionOf } from '../partitioner';
import type { NewMessage } from '../../../../contracts/ports/log';
import { createRetention } from './retention';
import type { Topic } from './topics';

/** Messages for one topic, to be added together. */
export interface Publication {
  readonly topic: Topic;
  readonly messages: readonly NewMessage[];
}

/** A batch was handled: the group goes on from `next`, if `member` still holds the partition. */
export interface Acknowledgement {
  readonly group: number;
  readonly partition: number;
  readonly member: number;
  readonly next: number;
}

export type Entry = Publication | Acknowledgement;

/** @throws TypeError for what cannot be stored */
export function checkMessage({ key, value, headers = {} }: NewMessage): void {
  if (!isStorableText(key)) throw new TypeError('a key is text without U+0000 and lone surrogates');
  if (!(value instanceof Uint8Array)) throw new TypeError('a value is bytes');
  for (const [name, text] of Object.entries(headers))
    if (typeof text !== 'string') throw new TypeError(`header ${name} is not text`);
}

/**
 * Carries out a group in one transaction. An acknowledgement gives whether the member still held the partition.
 * @param retention milliseconds that messages are kept
 */
export function createWriter(
  database: Database,
  clock: () => Date,
  retention: number,
): (entries: readonly Entry[]) => boolean[] {
  const sweep = createRetention(database, retention);
  const nextOf = database.prepare<[number]>('SELECT next FROM partitions WHERE id = ?');
  const setNext = database.prepare('UPDATE partitions SET next = ?2 WHERE id = ?1');
  // All values as one parameter: a slice of it costs less than a parameter, and JSON holds no bytes. Of bytes without
  // any, SQLite makes NULL.
  const insert = database.prepare(
    `INSERT INTO messages (partition, offset, key, value, headers, timestamp, compacted)
     SELECT value ->> 0, value ->> 1, value ->> 2, coalesce(substr(?2, value ->> 3, value ->> 4), x''), value ->> 5, ?3, value ->> 6
     FROM json_each(?1)`,
  );
  const compact = database.prepare(
    `DELETE FROM messages WHERE id IN (
       SELECT m.id FROM json_each(?) AS last CROSS JOIN messages AS m
       ON m.partition = last.value ->> 0 AND m.compacted = last.value ->> 1 AND m.offset < last.value ->> 2)`,
  );
  const acknowledge = database.prepare(
    `INSERT INTO offsets (member_group, partition, next) SELECT member_group, partition, ?4 FROM claims
     WHERE member_group = ?1 AND partition = ?2 AND member = ?3
     ON CONFLICT DO UPDATE SET next = excluded.next`,
  );

  const publish = (publications: readonly Publication[]): void => {
    const ends = new Map<number, number>();
    const last = new Map<string, [partition: number, key: string, offset: number]>();
    const values: Uint8Array[] = [];
    const rows: unknown[][] = [];
    let start = 1;
    for (const { topic, messages } of publications)
      for (const { key, value, headers = {} } of messages) {
        const partition = topic.partitions[partitionOf(key, topic.partitions.length)]!;
        const offset = ends.get(partition) ?? nextOf.get([partition])![0];
        const compacted = topic.cleanup === 'compact' ? key : null;
        rows.push([partition, offset, key, start, value.length, JSON.stringify(headers), compacted]);
        values.push(value);
        ends.set(partition, offset + 1);
        start += value.length;
        if (compacted !== null) last.set(`${partition}/${key}`, [partition, key, offset]);
      }
    const now = clock().getTime();
    insert.run([JSON.stringify(rows), Buffer.concat(values), now]);
    for (const end of ends) setNext.run(end);
    sweep(now);
    if (last.size > 0) compact.run([JSON.stringify([...last.values()])]);
  };

  return entries =>
    database.transaction(() => {
      const publications = entries.filter(entry => 'messages' in entry);
      if (publications.length > 0) publish(publications);
      return entries.map(
        entry =>
          'messages' in entry ||
          acknowledge.run([entry.group, entry.partition, entry.member, entry.next]).changes === 1,
      );
    });
}
