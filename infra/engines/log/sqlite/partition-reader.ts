import { setImmediate as turn } from 'node:timers/promises';
import { DamagedData } from '../../../../contracts/engine/damaged-data';
import type { Database } from '../../sqlite/database';
import { AdaptivePageSize } from '../../sqlite/adaptive-page-size';
import { checksumOf, splitText, TEXT_SQL } from './checksum';
import type { WatchedCounters } from './watched-counters';
import type { LogBatch, LogMessage } from '../../../../contracts/ports/log';
import type { Partition } from './topics';

const PAGE_SQL = `SELECT offset, ${TEXT_SQL}, value, timestamp, checksum FROM messages
  WHERE partition = ? AND offset >= ? AND offset < ? ORDER BY offset LIMIT ?`;

type MessageRow = [offset: number, text: Buffer, value: Buffer, timestamp: number, checksum: number];

export interface ReadOptions {
  readonly from: number;
  readonly batchSize: number;
  readonly follow: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Reads partitions in batches, and yields to the event loop between two batches. Throws `DamagedData` at a damaged message, after those before it. */
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
      const messages: LogMessage[] = [];
      let damaged: DamagedData | null = null;
      for (const [offset, text, value, timestamp, checksum] of rows) {
        if (checksumOf(id, offset, timestamp, text, value) !== checksum) {
          damaged = new DamagedData('log', `${topic}/${number} offset ${offset}`);
          from = offset;
          break;
        }
        const [key, headers] = splitText(text);
        messages.push({ topic, partition: number, offset, key, value, headers, timestamp });
      }
      if (messages.length > 0) yield { topic, partition: number, messages, nextOffset: from };
      if (damaged) throw damaged;
      await turn();
    }
  };
}

export type ReadPartition = ReturnType<typeof createPartitionReader>;
