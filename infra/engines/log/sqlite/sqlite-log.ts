import { type DatabaseOptions, openDatabase } from '../../sqlite/database';
import { groupCommit } from '../../sqlite/group-commit';
import { IMPATIENT } from '../../sqlite/patience';
import { layOut } from '../../sqlite/schema';
import { consume, type ConsumerDeps } from './consumer';
import { createCounters } from './counters';
import { createGroups } from './groups';
import { createPartitionReader } from './partition-reader';
import type { Log } from '../../../../contracts/ports/log';
import { DDL, ENDS_SQL, GENERATIONS_SQL, LAYOUT } from './schema';
import { createTopics } from './topics';
import { checkMessage, createWriter, type Entry } from './writer';

export interface SqliteLogOptions extends Omit<DatabaseOptions, 'engine'> {
  readonly path: string;
  /** Gives timestamps and times leases; default: the time of the system, which all processes must share. */
  readonly clock?: () => Date;
  /** Milliseconds after which the partitions of a member that died go to others; renewed every third; default 10,000. */
  readonly lease?: number;
  /** Milliseconds after which messages of topics that are not compacted are deleted; default: never. */
  readonly retention?: number;
}

const GROUP_BYTES = 8 * 1024 * 1024;

const REST_OF_A_ROW = 100;

const weight = (entry: Entry): number =>
  'messages' in entry
    ? entry.messages.reduce((sum, { value }) => sum + value.length + REST_OF_A_ROW, 0)
    : REST_OF_A_ROW;

/**
 * A log in one SQLite file, for any number of processes of one machine.
 * @throws UnusableDatabase
 */
export function openSqliteLog(options: SqliteLogOptions): Log {
  const { path, clock = () => new Date(), lease = 10_000, retention = Infinity } = options;
  const database = openDatabase(path, { ...options, engine: 'log' });
  layOut(database, LAYOUT, DDL);
  database.exec(IMPATIENT);

  const topics = createTopics(database);
  const ends = createCounters(database, ENDS_SQL);
  const read = createPartitionReader(database, ends);
  const groups = createGroups(database, clock, lease);
  const writes = groupCommit<Entry, boolean>({
    commit: createWriter(database, clock, retention),
    weight,
    capacity: GROUP_BYTES,
  });
  const consumer: ConsumerDeps = {
    groups,
    generations: createCounters(database, GENERATIONS_SQL),
    read,
    acknowledge: entry => writes.add(entry),
    heartbeat: lease / 3,
  };

  return {
    declare: async specs => topics.declare(specs),
    publish: async (topic, messages) => {
      messages.forEach(checkMessage);
      if (messages.length > 0) await writes.add({ topic: topics.find(topic), messages });
    },
    consume: async (wanted, handle) => consume(consumer, topics.partitionsOf(wanted.topics), wanted, handle),
    read: async function* ({ topic, partition, from, batchSize = 1000, follow, signal }) {
      yield* read(topics.partition(topic, partition), { from, batchSize, follow, signal });
    },
    ends: async topic => topics.partitionsOf([topic]).map(({ id }) => topics.endOf(id)),
    committed: async (group, topic) => {
      const id = groups.find(group);
      return topics
        .partitionsOf([topic])
        .map(partition => (id === null ? 0 : groups.committed(id, partition.id)));
    },
    close: async () => {
      await writes.drained();
      database.close();
    },
  };
}
