import type { Database } from '../../sqlite/database';
import { text } from '../../sqlite/statement';
import type { ValidatedAppend } from '../validate-append';
import type { StreamHead } from './stream-heads';
import type { AppendResult } from '../../../../contracts/ports/event-store';

/**
 * Distinguishes a repeated append from a new one and from a conflict, as EventStoreDB does (`CheckCommit` of its
 * IndexWriter): when a revision is expected, the events after it must be exactly these; when none is, those from the
 * revision of the first event on, and an append whose first event is unknown is new.
 */
export function createIdempotencyCheck(database: Database) {
  const indexIds = database.prepare(
    `INSERT INTO event_ids (stream, id_suffix, revision) SELECT stream, substr(id, -8), revision FROM events
     WHERE stream = ?1 AND revision >= (SELECT indexed_ids FROM streams WHERE id = ?1)`,
  );
  const setIndexedIds = database.prepare('UPDATE streams SET indexed_ids = ? WHERE id = ?');
  const revisionOf = database.prepare<[number | null]>(
    `SELECT max(e.revision) FROM event_ids AS i CROSS JOIN events AS e ON e.stream = i.stream AND e.revision = i.revision
     WHERE i.stream = ?1 AND i.id_suffix = substr(?2, -8) AND e.id = ?2`,
  );
  const recorded = database.prepare<[id: string, position: number]>(
    `SELECT ${text('id')}, position FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?`,
  );

  const firstRevision = ({ expected, events }: ValidatedAppend, head: StreamHead): number | null => {
    if (typeof expected === 'number') return expected + 1;
    if (expected === 'no_stream') return 0;
    indexIds.run([head.id]);
    setIndexedIds.run([head.revision + 1, head.id]);
    return revisionOf.get([head.id, events[0]!.id])![0];
  };

  return {
    /** For a stream that exists and is not at the expected revision. The result of the first append when it is repeated. */
    check: (head: StreamHead, append: ValidatedAppend): AppendResult | 'new' | 'conflict' => {
      const first = firstRevision(append, head);
      if (first === null) return 'new';
      const found = recorded.all([head.id, first, append.events.length]);
      if (!append.events.every(({ id }, index) => found[index]?.[0] === id)) return 'conflict';
      return { revision: first + found.length - 1, position: found.at(-1)![1] };
    },
  };
}
