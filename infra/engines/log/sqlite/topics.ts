import type { Database } from '../../sqlite/database';
import { text } from '../../sqlite/statement';
import { retryWhileBusy } from '../../sqlite/retry-while-busy';
import type { TopicSpec } from '../../../../contracts/ports/log';

export interface Topic {
  readonly name: string;
  readonly cleanup: TopicSpec['cleanup'];
  /** Row ids of the partitions, by number. */
  readonly partitions: readonly number[];
}

export interface Partition {
  readonly id: number;
  readonly topic: string;
  readonly number: number;
}

/** Topics never change once they exist, so they are cached. */
export function createTopics(database: Database) {
  const cache = new Map<string, Topic>();
  const select = database.prepare<[number, TopicSpec['cleanup'], number]>(
    `SELECT t.id, ${text('t.cleanup')}, p.id FROM topics AS t CROSS JOIN partitions AS p ON p.topic = t.id
     WHERE t.name = ? ORDER BY p.number`,
  );
  const addTopic = database.prepare<[number]>(
    'INSERT INTO topics (name, cleanup) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING id',
  );
  const addPartition = database.prepare('INSERT INTO partitions (topic, number) VALUES (?, ?)');
  const selectEndOffset = database.prepare<[number]>('SELECT end_offset FROM partitions WHERE id = ?');

  const find = (name: string): Topic => {
    const cached = cache.get(name);
    if (cached) return cached;
    const rows = select.all([name]);
    if (rows.length === 0)
      throw new Error(`topic ${name} has not been declared: a program does it when it starts`);
    const topic = { name, cleanup: rows[0]![1], partitions: rows.map(row => row[2]) };
    cache.set(name, topic);
    return topic;
  };

  const add = ({ name, partitions, cleanup }: TopicSpec): void => {
    if (!Number.isSafeInteger(partitions) || partitions < 1)
      throw new TypeError(`topic ${name}: invalid number of partitions: ${partitions}`);
    const added = addTopic.get([name, cleanup]);
    for (let number = 0; added && number < partitions; number += 1) addPartition.run([added[0], number]);
  };
  const partitionsOf = (names: readonly string[]): Partition[] =>
    [...new Set(names)].flatMap(topic => find(topic).partitions.map((id, number) => ({ id, topic, number })));

  return {
    /** @throws Error when the topic has not been declared */
    find,
    declare: (specs: readonly TopicSpec[]): Promise<void> =>
      retryWhileBusy(() => database.transaction(() => specs.forEach(add))),
    partitionsOf,
    /** @throws RangeError when the topic has no such partition */
    partition: (topic: string, number: number): Partition => {
      const partition = partitionsOf([topic])[number];
      if (!partition) throw new RangeError(`topic ${topic} has no partition ${number}`);
      return partition;
    },
    /** The offset of the next message. */
    endOffset: (partition: number): number => selectEndOffset.get([partition])![0],
  };
}
