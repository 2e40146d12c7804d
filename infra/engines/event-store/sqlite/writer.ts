import type { Database } from '../../sqlite/database';
import type { ValidatedAppend } from '../validate-append';
import { checksumOf } from './event-rows';
import { createStreamHeads, type StreamHead } from './stream-heads';
import { createEventInsert, type EventInsertRow } from './insert-events';
import { type AppendResult, WrongExpectedRevision } from '../../../../contracts/ports/event-store';
import { createDeletion } from './delete-events';
import { createIdempotencyCheck } from './idempotent-append';

export interface Writer {
  /** Writes a group of appends in one transaction: each sees the effect of those before it, and succeeds or fails alone. */
  append(appends: readonly ValidatedAppend[]): (AppendResult | WrongExpectedRevision)[];
  deleteUpTo(stream: string, revision: number): void;
}

export function createWriter(database: Database, clock: () => Date): Writer {
  const heads = createStreamHeads(database);
  const idempotency = createIdempotencyCheck(database);
  const insert = createEventInsert(database);
  const deleteEvents = createDeletion(database);

  const writeGroup = (appends: readonly ValidatedAppend[]): (AppendResult | WrongExpectedRevision)[] => {
    heads.load(appends.map(({ stream }) => stream));
    // Never runs backwards: what was recorded by an instant stays so when the clock is set back.
    const created = Math.max(clock().getTime(), heads.lastCreated);
    let rows: EventInsertRow[] = [];
    const unwritten = new Set<StreamHead>();
    const flush = (): void => {
      if (rows.length === 0) return;
      insert(heads.nextPosition - rows.length, created, rows);
      heads.lastCreated = created;
      rows = [];
      unwritten.clear();
    };
    const write = ({ stream, events }: ValidatedAppend): AppendResult => {
      const head = heads.findOrCreate(stream);
      for (const { id, type, data, metadata } of events) {
        const revision = (head.revision += 1);
        const texts = [stream, id, type, data, metadata];
        const checksum = checksumOf(heads.nextPosition, revision, created, texts);
        rows.push([head.id, head.category, revision, id, type, data, metadata, checksum]);
        heads.nextPosition += 1;
      }
      unwritten.add(head);
      return { revision: head.revision, position: heads.nextPosition - 1 };
    };
    const outcomes = appends.map(append => {
      const { stream, expected } = append;
      const head = heads.find(stream);
      const actual = head?.revision ?? null;
      if (expected === (actual ?? 'no_stream')) return write(append);
      if (head) {
        if (unwritten.has(head)) flush();
        const found = idempotency.check(head, append);
        if (found === 'new') return write(append);
        if (found !== 'conflict') return found;
      } else if (expected === 'any') return write(append);
      return new WrongExpectedRevision(stream, expected, actual);
    });
    flush();
    return outcomes;
  };

  return {
    append: appends => {
      try {
        return database.transaction(() => writeGroup(appends));
      } catch (error) {
        heads.clear();
        throw error;
      }
    },
    deleteUpTo: (stream, revision) => {
      database.transaction(() => deleteEvents(stream, revision));
      heads.clear();
    },
  };
}
