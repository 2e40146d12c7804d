import type { CollectionSpec, IndexSpec } from '../../../contracts/ports/documents';

export function sameIndex(a: IndexSpec, b: IndexSpec): boolean {
  return JSON.stringify([a.fields, a.unique ?? false]) === JSON.stringify([b.fields, b.unique ?? false]);
}

export function sameFields(a: readonly string[], b: readonly string[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Every field that an index or a count needs, `_id` aside. */
export function fieldsOf({ indexes, counts = [] }: CollectionSpec): readonly string[] {
  return [
    ...new Set([
      ...indexes.flatMap(({ fields }) => fields.map(([field]) => field)).filter(field => field !== '_id'),
      ...counts.flat(),
    ]),
  ];
}
