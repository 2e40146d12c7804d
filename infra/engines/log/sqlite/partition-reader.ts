import { setImmediate as turn } from 'node:timers/promises';
import type { Database } from '../../sqlite/database';
import { PageSize } from '../../sqlite/page-size';
import type { Counters } from './counters';
import type { LogBatch } from '../../../../contracts/ports/log';
import type { Partition } from './topics';

const PAGE_SQL = `SELECT offset, key, value, headers, timestamp FROM messages
  WHERE partition = ? AND offset >= ? AND offset < ? ORDER BY offset LIMIT ?`;

type MessageRow = [offset: number, key: string, value: Buffer, headers: string, timestamp: number];

export interface Reading {
  readonly from: number;
  readonly batchSize: number;
  readonly follow: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Reads partitions in batches; between two batches other work of the process has its turn. */
export function createPartitionReader(database: Database, ends: Counters) {
  const endOf = database.prepare<[number]>('SELECT next FROM partitions WHERE id = ?');
  const select = database.prepare<MessageRow>(PAGE_SQL);

  return async function* read({ id, topic, number }: Partition, reading: Reading): AsyncGenerator<LogBatch> {
    const { batchSize, follow, signal } = reading;
    const size = new PageSize(batchSize);
    for (let from = reading.from; !signal?.aborted;) {
      const end = endOf.get([id])![0];
      if (from > end) throw new RangeError(`${topic}/${number}: offset ${from} is beyond the end, ${end}`);
      if (from === end) {
        if (!follow || !(await ends.beyond(id, end, { signal }))) return;
        continue;
      }
      const most = size.next;
      const rows = select.all([id, from, end, most]);
      size.saw(rows, row => row[2].length);
      from = rows.length < most ? end : rows.at(-1)![0] + 1;
      const messages = rows.map(([offset, key, value, headers, timestamp]) => ({
        topic,
        partition: number,
        offset,
        key,
        value,
        headers: JSON.parse(headers) as Record<string, string>,
        timestamp,
      }));
      if (messages.length > 0) yield { topic, partition: number, messages, next: from };
      await turn();
    }
  };
}

export type ReadPartition = ReturnType<typeof createPartitionReader>;
