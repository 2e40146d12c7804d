import type { CollectionSpec, IndexSpec } from './port';

export const sameIndex = (a: IndexSpec, b: IndexSpec): boolean =>
  JSON.stringify([a.fields, a.unique ?? false]) === JSON.stringify([b.fields, b.unique ?? false]);

export const sameFields = (a: readonly string[], b: readonly string[]): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** Every field that an index or a count needs, `_id` aside. */
export const fieldsOf = ({ indexes, counts = [] }: CollectionSpec): readonly string[] => [
  ...new Set([
    ...indexes.flatMap(({ fields }) => fields.map(([field]) => field)).filter(field => field !== '_id'),
    ...counts.flat(),
  ]),
];
