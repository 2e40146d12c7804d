import type { Database } from '../sqlite/database';
import type { Draft } from './draft';
import { createHeads, type Head } from './heads';
import { type Appended, WrongExpectedRevision } from './port';
import { createRepeats } from './repeats';

/**
 * Carries out a group of appends in one transaction: each sees the effect of those before it, and succeeds or fails
 * alone.
 */
export const createWriter = (
  database: Database,
  clock: () => Date,
): ((drafts: readonly Draft[]) => (Appended | WrongExpectedRevision)[]) => {
  const heads = createHeads(database);
  const repeats = createRepeats(database);
  const insert = database.prepare(
    `INSERT INTO events (position, stream, category, revision, id, type, data, metadata, created)
     SELECT ?1 + key, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, ?2
     FROM json_each(?3)`,
  );

  const writeGroup = (drafts: readonly Draft[]): (Appended | WrongExpectedRevision)[] => {
    heads.prepare(drafts.map(draft => draft.stream));
    const created = clock().getTime();
    let rows: unknown[][] = [];
    const unwritten = new Set<Head>();
    const flush = (): void => {
      if (rows.length === 0) return;
      insert.run([heads.next - rows.length, created, JSON.stringify(rows)]);
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
};
