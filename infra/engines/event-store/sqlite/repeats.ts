import type { Database } from '../../sqlite/database';
import type { Draft } from '../draft';
import type { Head } from './heads';
import type { Appended } from '../../../../contracts/ports/event-store';

/**
 * Tells a repeated append from a new one and from a wrong one, as EventStoreDB does (`CheckCommit` of its
 * IndexWriter): when a revision is expected, the place where the events would go must hold just these events; when
 * none is, the place is where the first of them stands, and an append whose first event is unknown is new.
 */
export function createRepeats(database: Database) {
  const addIds = database.prepare(
    `INSERT INTO event_ids (stream, tail, revision) SELECT stream, substr(id, -8), revision FROM events
     WHERE stream = ?1 AND revision >= (SELECT identified FROM streams WHERE id = ?1)`,
  );
  const setIdentified = database.prepare('UPDATE streams SET identified = ? WHERE id = ?');
  const revisionOf = database.prepare<[number | null]>(
    `SELECT max(e.revision) FROM event_ids AS i CROSS JOIN events AS e ON e.stream = i.stream AND e.revision = i.revision
     WHERE i.stream = ?1 AND i.tail = substr(?2, -8) AND e.id = ?2`,
  );
  const recorded = database.prepare<[id: string, position: number]>(
    'SELECT id, position FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?',
  );

  const placeOf = ({ expected, events }: Draft, head: Head): number | null => {
    if (typeof expected === 'number') return expected + 1;
    if (expected === 'no_stream') return 0;
    addIds.run([head.id]);
    setIdentified.run([head.revision + 1, head.id]);
    return revisionOf.get([head.id, events[0]!.id])![0];
  };

  return {
    /** For a stream that exists and is not at the expected revision. */
    judge: (head: Head, draft: Draft): Appended | 'new' | 'refused' => {
      const place = placeOf(draft, head);
      if (place === null) return 'new';
      const found = recorded.all([head.id, place, draft.events.length]);
      if (!draft.events.every(({ id }, index) => found[index]?.[0] === id)) return 'refused';
      return { revision: place + found.length - 1, position: found.at(-1)![1] };
    },
  };
}
