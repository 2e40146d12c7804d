import {
  type CollectionSpec,
  type Counted,
  type IndexSpec,
  type Scalar,
  UnanswerableQuery,
} from '../../../contracts/ports/documents';
import { isScalar } from './scalars';

const COLLECTION = /^(?!sqlite_|system\.)[a-z0-9][\w.@-]{0,119}$/i;
const FIELD = /^[a-z_][\w-]*(\.[a-z0-9_][\w-]*)*$/i;

const validateField = (collection: string, field: string): void => {
  if (!FIELD.test(field)) throw new TypeError(`collection ${collection}: ${field} is not a valid field name`);
};

/** @throws TypeError for a name, an index or a count that not every engine supports */
export function validateSpec({ name, indexes, counts = [] }: CollectionSpec): void {
  if (!COLLECTION.test(name)) throw new TypeError(`${name} is not a valid collection name`);
  for (const { fields, unique = false } of indexes) {
    const names = fields.map(([field]) => field);
    for (const field of names) validateField(name, field);
    if (names.length === 0) throw new TypeError(`collection ${name}: an index without fields`);
    if (new Set(names).size < names.length)
      throw new TypeError(`collection ${name}: an index with a duplicate field`);
    if (names.slice(0, -1).includes('_id') || names[0] === '_id' || (unique && names.includes('_id')))
      throw new TypeError(
        `collection ${name}: _id must be the last field of an index, not the only one, and not of a unique index`,
      );
  }
  for (const counted of counts)
    for (const field of countedFields(counted)) {
      validateField(name, field);
      if (field === '_id') throw new TypeError(`collection ${name}: a count by _id`);
    }
}

export function sameIndex(a: IndexSpec, b: IndexSpec): boolean {
  return JSON.stringify([a.fields, a.unique ?? false]) === JSON.stringify([b.fields, b.unique ?? false]);
}

/** The first of those that are the same, each. */
export function distinct<T>(all: readonly T[], isSame: (one: T, other: T) => boolean): T[] {
  return all.filter((one, n) => all.findIndex(other => isSame(one, other)) === n);
}

/** @returns `sumOf` null: documents are counted */
export function partsOf(counted: Counted): {
  readonly by: readonly string[];
  readonly sumOf: string | null;
} {
  return 'by' in counted ? counted : { by: counted, sumOf: null };
}

/** Whatever it counts by, then what it sums up. */
export function countedFields(counted: Counted): readonly string[] {
  const { by, sumOf } = partsOf(counted);
  return sumOf === null ? by : [...by, sumOf];
}

/** With its fields in order, so that two of the same are the same JSON. */
export function normalized(counted: Counted): Counted {
  const { by, sumOf } = partsOf(counted);
  return ofParts([...by].sort(), sumOf);
}

function ofParts(by: readonly string[], sumOf: string | null): Counted {
  return sumOf === null ? by : { sumOf, by };
}

export function sameCounted(a: Counted, b: Counted): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** @param sumOf the field that is summed up; null: documents are counted @throws UnanswerableQuery when that is not declared */
export function countedBy(
  { name, counts }: Pick<Required<CollectionSpec>, 'name' | 'counts'>,
  equals: Readonly<Record<string, Scalar>>,
  sumOf: string | null,
): { readonly counted: Counted; readonly fields: readonly string[] } {
  const fields = Object.keys(equals).sort();
  if (!Object.values(equals).every(isScalar)) throw new UnanswerableQuery('only scalars can be counted by');
  const counted = ofParts(fields, sumOf);
  if (!counts.some(built => sameCounted(built, counted)))
    throw new UnanswerableQuery(`collection ${name} does not count ${JSON.stringify(counted)}`);
  return { counted, fields };
}

export function sameFields(a: readonly string[], b: readonly string[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Every field that an index or a count needs, except `_id`. */
export function fieldsOf({ indexes, counts = [] }: CollectionSpec): readonly string[] {
  return [
    ...new Set([
      ...indexes.flatMap(({ fields }) => fields.map(([field]) => field)).filter(field => field !== '_id'),
      ...counts.flatMap(countedFields),
    ]),
  ];
}
