import { setImmediate as turn } from 'node:timers/promises';
import { DamagedData } from '../../../../contracts/engine/damaged-data';
import type { Database } from '../../sqlite/database';
import { AdaptivePageSize } from '../../sqlite/adaptive-page-size';
import { checksumOf, splitText, TEXT_SQL } from './checksum';
import type { WatchedCounters } from './watched-counters';
import type { LogBatch, LogMessage } from '../../../../contracts/ports/log';
import type { Partition } from './topics';

/** The columns of a `MessageRow`. */
export const MESSAGE_SQL = `offset, ${TEXT_SQL}, value, timestamp, checksum`;

const PAGE_SQL = `SELECT ${MESSAGE_SQL} FROM messages
  WHERE partition = ? AND offset >= ? AND offset < ? ORDER BY offset LIMIT ?`;

export type MessageRow = [offset: number, text: Buffer, value: Buffer, timestamp: number, checksum: number];

/** @throws DamagedData */
export function messageOf(
  { id, topic, number }: Partition,
  [offset, text, value, timestamp, checksum]: MessageRow,
): LogMessage {
  if (checksumOf(id, offset, timestamp, text, value) !== checksum)
    throw new DamagedData('log', `${topic}/${number} offset ${offset}`);
  const [key, headers] = splitText(text);
  return { topic, partition: number, offset, key, value, headers, timestamp };
}

interface Page {
  readonly from: number;
  readonly end: number;
  readonly messages: readonly LogMessage[];
}

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
  /** Those of this turn, by partition: what is published is read by every consumer of the topic in the same one. */
  const shared = new Map<number, Page>();
  const share = (id: number, page: Page): void => {
    shared.set(id, page);
    // Not longer: what is deleted in between must not be read.
    setImmediate(() => shared.delete(id));
  };

  return async function* read(partition: Partition, options: ReadOptions): AsyncGenerator<LogBatch> {
    const { id, topic, number } = partition;
    const { batchSize, follow, signal } = options;
    const size = new AdaptivePageSize(batchSize);
    for (let from = options.from; !signal?.aborted;) {
      const end = selectEnd.get([id])![0];
      if (from > end) throw new RangeError(`${topic}/${number}: offset ${from} is beyond the end, ${end}`);
      if (from === end) {
        if (!follow || !(await ends.waitUntilAbove(id, end, { signal }))) return;
        continue;
      }
      const known = follow ? shared.get(id) : undefined;
      if (known?.from === from && known.end === end && known.messages.length < size.next) {
        from = end;
        if (known.messages.length > 0)
          yield { topic, partition: number, messages: known.messages, nextOffset: end };
        await turn();
        continue;
      }
      const page = { from, end };
      const maxRows = size.next;
      const rows = select.all([id, from, end, maxRows]);
      size.update(rows, row => row[2].length);
      from = rows.length < maxRows ? end : rows.at(-1)![0] + 1;
      const messages: LogMessage[] = [];
      let failure: { readonly error: unknown } | null = null;
      for (const row of rows) {
        try {
          messages.push(messageOf(partition, row));
        } catch (error) {
          failure = { error };
          from = row[0];
          break;
        }
      }
      if (follow && from === end && !failure) share(id, { ...page, messages });
      if (messages.length > 0) yield { topic, partition: number, messages, nextOffset: from };
      if (failure) throw failure.error;
      await turn();
    }
  };
}

export type ReadPartition = ReturnType<typeof createPartitionReader>;
