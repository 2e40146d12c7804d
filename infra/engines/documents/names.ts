import type { CollectionSpec } from '../../../contracts/ports/documents';

const COLLECTION = /^(?!sqlite_|system\.)[a-z0-9][\w.@-]{0,119}$/i;
const FIELD = /^[a-z_][\w-]*(\.[a-z0-9_][\w-]*)*$/i;

const checkField = (collection: string, field: string): void => {
  if (!FIELD.test(field))
    throw new TypeError(`collection ${collection}: ${field} is not the name of a field`);
};

/** @throws TypeError for a name, an index or a count that not every engine can keep */
export function checkSpec({ name, indexes, counts = [] }: CollectionSpec): void {
  if (!COLLECTION.test(name)) throw new TypeError(`${name} is not a name for a collection`);
  for (const { fields, unique = false } of indexes) {
    const names = fields.map(([field]) => field);
    for (const field of names) checkField(name, field);
    if (names.length === 0) throw new TypeError(`collection ${name}: an index without fields`);
    if (new Set(names).size < names.length)
      throw new TypeError(`collection ${name}: a field twice in an index`);
    if (names.slice(0, -1).includes('_id') || names[0] === '_id' || (unique && names.includes('_id')))
      throw new TypeError(
        `collection ${name}: _id stands last in an index, not alone and not in a unique one`,
      );
  }
  for (const fields of counts)
    for (const field of fields) {
      checkField(name, field);
      if (field === '_id') throw new TypeError(`collection ${name}: counting by _id`);
    }
}
