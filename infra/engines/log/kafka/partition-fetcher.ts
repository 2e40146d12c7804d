import { setImmediate as turn } from 'node:timers/promises';
import type { Batch, Cluster, Kafka } from 'kafkajs';
import FetchedBatch from 'kafkajs/src/consumer/batch';
import type { LogBatch, ReadPartitionOptions } from '../../../../contracts/ports/log';
import { createCluster } from './cluster';
import { protocolError } from './errors';
import { toLogBatches } from './log-batches';
import { reconnectingClient } from './reconnecting-client';
import type { Topic } from './topics';

const FETCH_WAIT_MS = 250;
const MAX_FETCH_BYTES = 4 * 1024 * 1024;

/** The isolation level that skips aborted transactions of other producers. */
const READ_COMMITTED = 1;

interface Fetched {
  readonly clientSideThrottleTime?: number;
  readonly responses: readonly [{ readonly partitions: readonly [{ readonly lastStableOffset: string }] }];
}

interface FetchedPage {
  readonly messages: Batch['messages'];
  readonly nextOffset: number;
}

interface RemotePartition {
  readonly remote: string;
  readonly partition: number;
}

/** Offset of the oldest message, and the end offset. */
const offsetRange = async (
  cluster: Cluster,
  { remote, partition }: RemotePartition,
): Promise<{ readonly first: number; readonly end: number }> => {
  await cluster.addTargetTopic(remote);
  const offset = async (fromBeginning: boolean): Promise<number> => {
    const partitions = [{ partition }];
    const [found] = await cluster.fetchTopicsOffset([{ topic: remote, partitions, fromBeginning }]);
    return Number(found!.partitions[0]!.offset);
  };
  return { first: await offset(true), end: await offset(false) };
};

const fetchPage = async (
  cluster: Cluster,
  { remote, partition }: RemotePartition,
  from: number,
): Promise<FetchedPage> => {
  await cluster.addTargetTopic(remote);
  await cluster.refreshMetadataIfNecessary();
  const [leader] = Object.keys(cluster.findLeaderForPartitions(remote, [partition]));
  const broker = await cluster.findBroker({ nodeId: leader! });
  const partitions = [{ partition, fetchOffset: String(from), maxBytes: MAX_FETCH_BYTES }];
  const fetched = (await broker.fetch({
    isolationLevel: READ_COMMITTED,
    maxWaitTime: FETCH_WAIT_MS,
    minBytes: 1,
    maxBytes: MAX_FETCH_BYTES,
    topics: [{ topic: remote, partitions }],
  })) as Fetched;
  const [found] = fetched.responses[0].partitions;
  const batch = new FetchedBatch(remote, String(from), found);
  const { messages } = batch;
  if (batch.rawMessages.length > 0)
    return { messages, nextOffset: Math.max(from, Number(batch.lastOffset()) + 1) };
  // The rest was compacted, unless the broker throttled the request.
  const isThrottled = (fetched.clientSideThrottleTime ?? 0) > 0;
  return { messages, nextOffset: isThrottled ? from : Math.max(from, Number(found.lastStableOffset)) };
};

/** As `fetchPage`, but skips messages that retention has deleted meanwhile. */
const fetchRetained = async (
  cluster: Cluster,
  remotePartition: RemotePartition,
  from: number,
): Promise<FetchedPage> => {
  try {
    return await fetchPage(cluster, remotePartition, from);
  } catch (error) {
    if (protocolError(error) !== 'OFFSET_OUT_OF_RANGE') throw error;
    const { first } = await offsetRange(cluster, remotePartition);
    if (first <= from) throw error;
    return { messages: [], nextOffset: first };
  }
};

/**
 * Reads one partition outside any group, with connections of its own.
 * @param timeoutMs for which brokers may be unavailable
 */
export async function* fetchPartition(
  client: () => Kafka,
  timeoutMs: number,
  topic: Topic,
  { partition, from, batchSize = 1000, follow, signal }: ReadPartitionOptions,
): AsyncGenerator<LogBatch> {
  const { name, remote } = topic;
  if (!Number.isInteger(partition) || partition < 0 || partition >= topic.partitions)
    throw new RangeError(`topic ${name} has no partition ${partition}`);
  const remotePartition = { remote, partition };
  const cluster = reconnectingClient(() => createCluster(client()), timeoutMs);
  try {
    const { first, end } = await cluster.use(used => offsetRange(used, remotePartition));
    if (from > end) throw new RangeError(`${name}/${partition}: offset ${from} is beyond the end, ${end}`);
    for (let at = Math.max(from, first); !signal?.aborted && (follow || at < end);) {
      const { messages, nextOffset } = await cluster.use(used => fetchRetained(used, remotePartition, at));
      for (const batch of toLogBatches({ topic: name, partition }, messages, nextOffset, batchSize)) {
        if (signal?.aborted) return;
        yield batch;
      }
      at = nextOffset;
      await turn();
    }
  } finally {
    await cluster.close();
  }
}
