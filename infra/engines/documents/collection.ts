import type { CollectionSpec, Counted, DeclareOptions, IndexSpec } from '../../../contracts/ports/documents';
import { fieldsOf, normalized, sameCounted, sameIndex } from './collection-spec';

/** A collection as it exists. Indexes and counts are listed once they are built. */
export interface Collection {
  readonly name: string;
  /** Those of its indexes and counts, built or not: what they hold must be possible to index. */
  readonly fields: readonly string[];
  readonly indexes: readonly IndexSpec[];
  /** As of `normalized`. */
  readonly counts: readonly Counted[];
}

export function hasFields({ fields }: Collection, wanted: readonly string[]): boolean {
  return wanted.every(field => fields.includes(field));
}

export function hasIndex({ indexes }: Collection, wanted: IndexSpec): boolean {
  return indexes.some(built => sameIndex(built, wanted));
}

/** @param wanted as of `normalized` */
export function hasCount({ counts }: Pick<Collection, 'counts'>, wanted: Counted): boolean {
  return counts.some(built => sameCounted(built, wanted));
}

/** True when nothing of the declaration is left to do. */
export function isDeclared(
  built: Collection | undefined,
  spec: CollectionSpec,
  { deferIndexes = false }: DeclareOptions,
): boolean {
  if (!built || !hasFields(built, fieldsOf(spec))) return false;
  const { indexes, counts = [] } = spec;
  return (
    deferIndexes ||
    (indexes.every(wanted => hasIndex(built, wanted)) &&
      counts.every(each => hasCount(built, normalized(each))))
  );
}
