import { type DatabaseOptions, openDatabase } from '../../sqlite/database';
import { groupCommit } from '../../sqlite/group-commit';
import { SHORT_BUSY_TIMEOUT } from '../../sqlite/retry-while-busy';
import { ensureSchema } from '../../sqlite/schema';
import { consume, type ConsumerDeps } from './consumer';
import { watchCounters } from './watched-counters';
import { createConsumerGroups } from './consumer-groups';
import { createMemberLeases } from './member-leases';
import { createDelete } from './delete-messages';
import { createPartitionReader } from './partition-reader';
import { partitionOf } from '../partitioner';
import type { Log } from '../../../../contracts/ports/log';
import { SCHEMA, END_OFFSETS_SQL, GENERATIONS_SQL, SCHEMA_VERSION, UPGRADES } from './schema';
import { createTopics } from './topics';
import { checkMessage, createWriter, type LogWrite } from './writer';

export interface SqliteLogOptions extends Omit<DatabaseOptions, 'engine'> {
  readonly path: string;
  /** For timestamps and leases; default: the system clock, which all processes must share. */
  readonly clock?: () => Date;
  /** After which the partitions of a crashed member are reassigned; renewed every third of it; default 10,000. */
  readonly leaseMs?: number;
  /** After which messages of topics that are not compacted are deleted; default: never. */
  readonly retentionMs?: number;
}

const MAX_GROUP_BYTES = 8 * 1024 * 1024;

const ROW_OVERHEAD = 100;

const weight = (write: LogWrite): number =>
  'messages' in write
    ? write.messages.reduce((sum, { value }) => sum + value.length + ROW_OVERHEAD, 0)
    : ROW_OVERHEAD;

/**
 * A log in one SQLite file, for any number of processes of one machine.
 * @throws UnusableDatabase
 */
export function openSqliteLog(options: SqliteLogOptions): Log {
  const { path, clock = () => new Date(), leaseMs = 10_000, retentionMs = Infinity } = options;
  const database = openDatabase(path, { ...options, engine: 'log' });
  ensureSchema(database, SCHEMA_VERSION, SCHEMA, UPGRADES);
  database.exec(SHORT_BUSY_TIMEOUT);

  const topics = createTopics(database);
  const watchedEnds = watchCounters(database, END_OFFSETS_SQL);
  const read = createPartitionReader(database, watchedEnds);
  const deleteOf = createDelete(database);
  const groups = createConsumerGroups(database, clock, leaseMs);
  const writes = groupCommit<LogWrite, boolean>({
    commit: createWriter(database, clock, retentionMs),
    weight,
    capacity: MAX_GROUP_BYTES,
  });
  const consumerDeps: ConsumerDeps = {
    groups,
    generations: watchCounters(database, GENERATIONS_SQL),
    read,
    commitOffset: commit => writes.add(commit),
    leases: createMemberLeases(groups, leaseMs / 3),
  };

  return {
    declare: async specs => topics.declare(specs),
    publish: async (topic, messages) => {
      messages.forEach(checkMessage);
      if (messages.length > 0) await writes.add({ topic: topics.find(topic), messages });
    },
    consume: async (wanted, handle) =>
      consume(consumerDeps, topics.partitionsOf(wanted.topics), wanted, handle),
    read: async function* ({ topic, partition, from, batchSize = 1000, follow, signal }) {
      yield* read(topics.partition(topic, partition), { from, batchSize, follow, signal });
    },
    endOffsets: async topic => topics.partitionsOf([topic]).map(({ id }) => topics.endOffset(id)),
    committedOffsets: async (group, topic) => {
      const id = groups.find(group);
      return topics
        .partitionsOf([topic])
        .map(partition => (id === null ? 0 : groups.committedOffset(id, partition.id)));
    },
    deleteMessages: async ({ topic, key, before }, isDeletable) => {
      const number = partitionOf(key, topics.find(topic).partitions.length);
      return deleteOf(topics.partition(topic, number), key, before[number] ?? 0, isDeletable);
    },
    close: async () => {
      await writes.drained();
      database.close();
    },
  };
}
