import type { Commit, Document, Documents } from '../../../contracts/ports/documents';

/** Commits of every kind: creating, replacing, deleting, counting, reusing a unique value. */

export const SPECS = [
  {
    name: 'numbers',
    indexes: [{ fields: [['n', 'asc']] as const }, { fields: [['slot', 'asc']] as const, unique: true }],
    counts: [[], ['n']],
  },
  { name: 'log', indexes: [] },
];

export const LAST = 4;

const number = (id: string, n: number, slot: string): Document => ({ _id: id, n, slot });

/** The numbers after a number of commits. */
export function numbersAfter(position: number): Document[] {
  return [
    [],
    [number('a', 1, 'x'), number('b', 1, 'y')],
    [number('a', 1, 'x'), number('b', 2, 'z'), number('c', 2, 'y')],
    [number('c', 3, 'x'), number('d', 3, 'y')],
    [number('a', 4, 'z'), number('d', 3, 'y')],
  ][position]!;
}

/** The commit from the previous position to this one. */
export function commitTo(position: number): Commit {
  const [before, after] = [numbersAfter(position - 1), numbersAfter(position)];
  const gone = before.filter(({ _id }) => !after.some(kept => kept._id === _id));
  const changed = after.filter(
    document => !before.some(old => JSON.stringify(old) === JSON.stringify(document)),
  );
  return {
    writes: [
      ...gone.map(({ _id }) => ({ collection: 'numbers', id: _id, document: null })),
      ...changed.map(document => ({ collection: 'numbers', id: document._id, document })),
      { collection: 'log', id: `${position}`, document: { _id: `${position}` } },
    ],
    checkpoint: {
      name: 'script',
      value: { position },
      expect: position === 1 ? null : { position: position - 1 },
    },
  };
}

export async function positionOf(documents: Documents): Promise<number> {
  const checkpoint = await documents.checkpoint('script');
  return checkpoint && 'position' in checkpoint ? checkpoint.position : 0;
}

/** Continues the script from its current position. */
export async function play(documents: Documents): Promise<void> {
  await documents.declare(SPECS);
  for (let position = (await positionOf(documents)) + 1; position <= LAST; position++)
    await documents.commit(commitTo(position));
}
