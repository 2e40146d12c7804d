import type { Document } from '../../contracts/ports/documents';

/** The documents of one id on two sides; undefined where a side has none. */
export interface Pair {
  readonly id: string;
  readonly left: Document | undefined;
  readonly right: Document | undefined;
}

type Pages = AsyncIterable<readonly Document[]>;

/** Joins two sides, both in ascending order of `_id`, by that id. */
export async function* mergeJoin(left: Pages, right: Pages): AsyncIterable<Pair> {
  const [lefts, rights] = [flatten(left), flatten(right)];
  let [l, r] = [await lefts.next(), await rights.next()];
  while (!l.done || !r.done) {
    const order = l.done ? 1 : r.done ? -1 : compareIds(l.value._id, r.value._id);
    const [a, b] = [order <= 0 ? l.value : undefined, order >= 0 ? r.value : undefined];
    yield { id: (a ?? b)!._id, left: a, right: b };
    if (order <= 0) l = await lefts.next();
    if (order >= 0) r = await rights.next();
  }
}

async function* flatten(pages: Pages): AsyncGenerator<Document, undefined> {
  for await (const page of pages) yield* page;
  return undefined;
}

/** By UTF-8 bytes, as SQLite and MongoDB order text; JavaScript's `<` orders UTF-16 units, which differs beyond the BMP. */
const compareIds = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
