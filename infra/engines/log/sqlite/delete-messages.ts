import { setImmediate as turn } from 'node:timers/promises';
import type { LogMessage } from '../../../../contracts/ports/log';
import { AdaptivePageSize } from '../../sqlite/adaptive-page-size';
import type { Database } from '../../sqlite/database';
import { retryWhileBusy } from '../../sqlite/retry-while-busy';
import { MESSAGE_SQL, messageOf, type MessageRow } from './partition-reader';
import { KEY_END_SQL } from './schema';
import type { Partition } from './topics';

/** Messages that are deleted in one transaction. */
const MAX_DELETED_ROWS = 500;

/** Reads the messages of a key in pages, and deletes those that may go, page by page. Writers come in between. */
export function createDelete(database: Database) {
  const select = database.prepare<MessageRow>(
    `SELECT ${MESSAGE_SQL} FROM messages INDEXED BY messages_deletable_by_key
     WHERE partition = ?1 AND ${KEY_END_SQL} = substr(?2, -8) AND key = ?2 AND compaction_key IS NULL
       AND offset >= ?3 AND offset < ?4 ORDER BY offset LIMIT ?5`,
  );
  const selectEnd = database.prepare<[number]>('SELECT end_offset FROM partitions WHERE id = ?');
  const deleteAll = database.prepare(
    `DELETE FROM messages WHERE id IN (
       SELECT m.id FROM json_each(?2) AS found CROSS JOIN messages AS m ON m.partition = ?1 AND m.offset = found.value)`,
  );

  return async (
    partition: Partition,
    key: string,
    before: number,
    isDeletable: (message: LogMessage) => boolean,
  ): Promise<number> => {
    const size = new AdaptivePageSize(MAX_DELETED_ROWS);
    // Messages are only added: the last one of now may be followed by others, and then stays all the same.
    const last = selectEnd.get([partition.id])![0] - 1;
    let left = 0;
    for (let from = 0; ;) {
      const maxRows = size.next;
      const rows = select.all([partition.id, key, from, before, maxRows]);
      size.update(rows, row => row[2].length);
      const deletable = rows
        .map(row => messageOf(partition, row))
        .filter(message => message.offset !== last && isDeletable(message))
        .map(({ offset }) => offset);
      left += rows.length - deletable.length;
      if (deletable.length > 0)
        await retryWhileBusy(() =>
          database.transaction(() => deleteAll.run([partition.id, JSON.stringify(deletable)])),
        );
      if (rows.length < maxRows) return left;
      from = rows.at(-1)![0] + 1;
      await turn();
    }
  };
}
