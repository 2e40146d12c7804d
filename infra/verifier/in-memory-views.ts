import type { Document, Filter, Page, Query, Scalar } from '../../contracts/ports/documents';
import type { Views } from '../../projections/views';

/** Documents by collection and id. */
export type InMemoryDocuments = ReadonlyMap<string, ReadonlyMap<string, Document>>;

/** Queries over few documents in memory. A page is cut from all matching documents. */
export function createInMemoryViews(documents: () => InMemoryDocuments): Views {
  const all = (collection: string): readonly Document[] => [...(documents().get(collection)?.values() ?? [])];
  const matching = (collection: string, { filter = {}, order = [['_id', 'asc']] }: Query): Document[] =>
    all(collection)
      .filter(document => matches(document, filter))
      .sort(ordering(order));
  const get = (collection: string, id: string): Document | null =>
    documents().get(collection)?.get(id) ?? null;

  return {
    get: async <D extends Document>(collection: string, id: string) => get(collection, id) as D | null,

    async getMany<D extends Document>(collection: string, ids: readonly string[]) {
      const found = ids.map(id => get(collection, id)).filter(document => document !== null);
      return new Map(found.map(document => [document._id, document as D]));
    },

    async find<D extends Document>(collection: string, query: Query): Promise<Page<D>> {
      const { limit, skip = 0 } = query;
      return { documents: matching(collection, query).slice(skip, skip + limit) as D[], next: null };
    },

    async *scan<D extends Document>(collection: string, query: Query) {
      const found = matching(collection, query) as D[];
      for (let at = query.skip ?? 0; at < found.length; at += query.limit)
        yield found.slice(at, at + query.limit);
    },

    count: async (collection, equals = {}) =>
      all(collection).filter(document => matches(document, equals)).length,
    sum: async (collection, field, equals = {}) =>
      all(collection)
        .filter(document => matches(document, equals))
        .reduce((sum, document) => sum + Number(document[field]), 0),
    cached: (_question, workOut) => workOut(),
    expectReadable: () => Promise.resolve(),
    waitForChange: () => Promise.resolve(),
    subscribe: () => () => undefined,
    waitForPosition: async () => true,
    foldedUpTo: async () => Number.MAX_SAFE_INTEGER,
    isOutdated: async () => false,
  };
}

const matches = (document: Document, filter: Filter): boolean =>
  Object.entries(filter).every(([field, condition]) => {
    const value = document[field] as Scalar;
    if (condition === null || typeof condition !== 'object') return value === condition;
    if ('in' in condition) return condition.in.includes(value);
    return Object.entries(condition).every(([comparison, bound]) => isWithin(comparison, value, bound));
  });

function isWithin(comparison: string, value: Scalar, bound: Scalar): boolean {
  if (typeof value !== typeof bound || value === null || bound === null) return false;
  switch (comparison) {
    case 'gt':
      return value > bound;
    case 'gte':
      return value >= bound;
    case 'lt':
      return value < bound;
    default:
      return value <= bound;
  }
}

/** Ties are broken by `_id` in the direction of the last field, as in `Query`. */
function ordering(order: NonNullable<Query['order']>): (a: Document, b: Document) => number {
  const fields = [...order, ['_id', order.at(-1)?.[1] ?? 'asc'] as const];
  return (a, b) => {
    for (const [field, direction] of fields) {
      const [left, right] = [a[field] as string, b[field] as string];
      if (left !== right) return left < right === (direction === 'asc') ? -1 : 1;
    }
    return 0;
  };
}
