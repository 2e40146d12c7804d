import type { Database } from '../../sqlite/database';
import type { Draft } from '../draft';
import { createHeads, type Head } from './heads';
import { createInsert, type InsertRow } from './insert';
import { type Appended, WrongExpectedRevision } from '../../../../contracts/ports/event-store';
import { createRepeats } from './repeats';

/**
 * Carries out a group of appends in one transaction: each sees the effect of those before it, and succeeds or fails
 * alone.
 */
export function createWriter(
  database: Database,
  clock: () => Date,
): (drafts: readonly Draft[]) => (Appended | WrongExpectedRevision)[] {
  const heads = createHeads(database);
  const repeats = createRepeats(database);
  const insert = createInsert(database);

  const writeGroup = (drafts: readonly Draft[]): (Appended | WrongExpectedRevision)[] => {
    heads.prepare(drafts.map(draft => draft.stream));
    const created = clock().getTime();
    let rows: InsertRow[] = [];
    const unwritten = new Set<Head>();
    const flush = (): void => {
      if (rows.length === 0) return;
      insert(heads.next - rows.length, created, rows);
      rows = [];
      unwritten.clear();
    };
    const append = ({ stream, events }: Draft): Appended => {
      const head = heads.open(stream);
      for (const { id, type, data, metadata } of events)
        rows.push([head.id, head.category, (head.revision += 1), id, type, data, metadata]);
      unwritten.add(head);
      heads.next += events.length;
      return { revision: head.revision, position: heads.next - 1 };
    };
    const outcomes = drafts.map(draft => {
      const { stream, expected } = draft;
      const head = heads.find(stream);
      const actual = head?.revision ?? null;
      if (expected === (actual ?? 'no_stream')) return append(draft);
      if (head) {
        if (unwritten.has(head)) flush();
        const verdict = repeats.judge(head, draft);
        if (verdict === 'new') return append(draft);
        if (verdict !== 'refused') return verdict;
      } else if (expected === 'any') return append(draft);
      return new WrongExpectedRevision(stream, expected, actual);
    });
    flush();
    return outcomes;
  };

  return drafts => {
    try {
      return database.transaction(() => writeGroup(drafts));
    } catch (error) {
      heads.forget();
      throw error;
    }
  };
}
