import { setImmediate as turn } from 'node:timers/promises';
import type { Batch, Cluster, Kafka } from 'kafkajs';
import FetchedBatch from 'kafkajs/src/consumer/batch';
import type { LogBatch, ReadPartitionOptions } from '../../../../contracts/ports/log';
import { borrowCluster } from './borrowed-cluster';
import { refusalOf } from './failures';
import { batchesOf } from './messages';
import { renewable } from './renewable';
import type { Topic } from './topics';

const POLL_MS = 250;
const MOST_BYTES = 4 * 1024 * 1024;

/** Only what transactions have completed; no transaction is ever ours. */
const READ_COMMITTED = 1;

interface Fetched {
  readonly clientSideThrottleTime?: number;
  readonly responses: readonly [{ readonly partitions: readonly [{ readonly lastStableOffset: string }] }];
}

interface Page {
  readonly messages: Batch['messages'];
  readonly next: number;
}

interface Place {
  readonly remote: string;
  readonly partition: number;
}

/** Offsets of the first message that is still kept and of the next that will come. */
const extentOf = async (
  cluster: Cluster,
  { remote, partition }: Place,
): Promise<{ readonly first: number; readonly end: number }> => {
  await cluster.addTargetTopic(remote);
  const offset = async (fromBeginning: boolean): Promise<number> => {
    const partitions = [{ partition }];
    const [found] = await cluster.fetchTopicsOffset([{ topic: remote, partitions, fromBeginning }]);
    return Number(found!.partitions[0]!.offset);
  };
  return { first: await offset(true), end: await offset(false) };
};

const fetchAt = async (cluster: Cluster, { remote, partition }: Place, from: number): Promise<Page> => {
  await cluster.addTargetTopic(remote);
  await cluster.refreshMetadataIfNecessary();
  const [leader] = Object.keys(cluster.findLeaderForPartitions(remote, [partition]));
  const broker = await cluster.findBroker({ nodeId: leader! });
  const partitions = [{ partition, fetchOffset: String(from), maxBytes: MOST_BYTES }];
  const fetched = (await broker.fetch({
    isolationLevel: READ_COMMITTED,
    maxWaitTime: POLL_MS,
    minBytes: 1,
    maxBytes: MOST_BYTES,
    topics: [{ topic: remote, partitions }],
  })) as Fetched;
  const [found] = fetched.responses[0].partitions;
  const batch = new FetchedBatch(remote, String(from), found);
  const { messages } = batch;
  if (batch.rawMessages.length > 0) return { messages, next: Math.max(from, Number(batch.lastOffset()) + 1) };
  // Nothing is left of the rest, unless the broker only put us off.
  const isPutOff = (fetched.clientSideThrottleTime ?? 0) > 0;
  return { messages, next: isPutOff ? from : Math.max(from, Number(found.lastStableOffset)) };
};

/** As `fetchAt`; steps over what retention has deleted meanwhile. */
const fetchKept = async (cluster: Cluster, place: Place, from: number): Promise<Page> => {
  try {
    return await fetchAt(cluster, place, from);
  } catch (error) {
    if (refusalOf(error) !== 'OFFSET_OUT_OF_RANGE') throw error;
    const { first } = await extentOf(cluster, place);
    if (first <= from) throw error;
    return { messages: [], next: first };
  }
};

/**
 * Reads one partition with connections of its own and outside any group.
 * @param patience milliseconds for which brokers may be away
 */
export async function* readPartition(
  client: () => Kafka,
  patience: number,
  topic: Topic,
  { partition, from, batchSize = 1000, follow, signal }: ReadPartitionOptions,
): AsyncGenerator<LogBatch> {
  const { name, remote } = topic;
  if (!Number.isInteger(partition) || partition < 0 || partition >= topic.partitions)
    throw new RangeError(`topic ${name} has no partition ${partition}`);
  const place = { remote, partition };
  const cluster = renewable(() => borrowCluster(client()), patience);
  try {
    const { first, end } = await cluster.use(used => extentOf(used, place));
    if (from > end) throw new RangeError(`${name}/${partition}: offset ${from} is beyond the end, ${end}`);
    for (let at = Math.max(from, first); !signal?.aborted && (follow || at < end);) {
      const { messages, next } = await cluster.use(used => fetchKept(used, place, at));
      for (const batch of batchesOf({ topic: name, partition }, messages, next, batchSize)) {
        if (signal?.aborted) return;
        yield batch;
      }
      at = next;
      await turn();
    }
  } finally {
    await cluster.close();
  }
}
