import type { CollectionSpec, Counted, DeclareOptions, IndexSpec } from '../../../contracts/ports/documents';
import { distinct, fieldsOf, normalized, sameCounted, sameIndex } from './collection-spec';

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

export function hasIndex({ indexes }: Pick<Collection, 'indexes'>, wanted: IndexSpec): boolean {
  return indexes.some(built => sameIndex(built, wanted));
}

/** @param wanted as of `normalized` */
export function hasCount({ counts }: Pick<Collection, 'counts'>, wanted: Counted): boolean {
  return counts.some(built => sameCounted(built, wanted));
}

type Parts = Omit<Collection, 'name'>;

const NOTHING: Parts = { fields: [], indexes: [], counts: [] };

/** What of the declaration is left to build. */
export function missingParts(
  built: Parts | undefined,
  spec: CollectionSpec,
  { deferIndexes = false }: DeclareOptions,
): Parts {
  const { fields, indexes, counts } = built ?? NOTHING;
  const missing = { ...NOTHING, fields: fieldsOf(spec).filter(wanted => !fields.includes(wanted)) };
  if (deferIndexes) return missing;
  const wantedCounts = (spec.counts ?? []).map(normalized);
  return {
    ...missing,
    indexes: distinct(spec.indexes, sameIndex).filter(wanted => !hasIndex({ indexes }, wanted)),
    counts: distinct(wantedCounts, sameCounted).filter(wanted => !hasCount({ counts }, wanted)),
  };
}

/** True when nothing of the declaration is left to do. */
export function isDeclared(built: Parts | undefined, spec: CollectionSpec, options: DeclareOptions): boolean {
  const missing = missingParts(built, spec, options);
  return built !== undefined && Object.values(missing).every(parts => parts.length === 0);
}
