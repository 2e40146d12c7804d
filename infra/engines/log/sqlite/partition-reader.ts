import { setImmediate as turn } from 'node:timers/promises';
import type { Database } from '../../sqlite/database';
import { AdaptivePageSize } from '../../sqlite/adaptive-page-size';
import type { WatchedCounters } from './watched-counters';
import type { LogBatch } from '../../../../contracts/ports/log';
import type { Partition } from './topics';

const PAGE_SQL = `SELECT offset, key, value, headers, timestamp FROM messages
  WHERE partition = ? AND offset >= ? AND offset < ? ORDER BY offset LIMIT ?`;

type MessageRow = [offset: number, key: string, value: Buffer, headers: string, timestamp: number];

export interface ReadOptions {
  readonly from: number;
  readonly batchSize: number;
  readonly follow: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Reads partitions in batches, and yields to the event loop between two batches. */
export function createPartitionReader(database: Database, ends: WatchedCounters) {
  const selectEnd = database.prepare<[number]>('SELECT end_offset FROM partitions WHERE id = ?');
  const select = database.prepare<MessageRow>(PAGE_SQL);

  return async function* read(
    { id, topic, number }: Partition,
    options: ReadOptions,
  ): AsyncGenerator<LogBatch> {
    const { batchSize, follow, signal } = options;
    const size = new AdaptivePageSize(batchSize);
    for (let from = options.from; !signal?.aborted;) {
      const end = selectEnd.get([id])![0];
      if (from > end) throw new RangeError(`${topic}/${number}: offset ${from} is beyond the end, ${end}`);
      if (from === end) {
        if (!follow || !(await ends.waitUntilAbove(id, end, { signal }))) return;
        continue;
      }
      const maxRows = size.next;
      const rows = select.all([id, from, end, maxRows]);
      size.update(rows, row => row[2].length);
      from = rows.length < maxRows ? end : rows.at(-1)![0] + 1;
      const messages = rows.map(([offset, key, value, headers, timestamp]) => ({
        topic,
        partition: number,
        offset,
        key,
        value,
        headers: JSON.parse(headers) as Record<string, string>,
        timestamp,
      }));
      if (messages.length > 0) yield { topic, partition: number, messages, nextOffset: from };
      await turn();
    }
  };
}

export type ReadPartition = ReturnType<typeof createPartitionReader>;
