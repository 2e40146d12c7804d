import type { Write } from '../../../../contracts/ports/documents';
import { bodyOf } from '../body';
import type { Collection } from './catalog';
import type { CounterChange } from './counters';
import { type IndexKeys, indexKeysOf, tombstoneKeys } from './stored-document';

/** A write of a commit; without a body, a deletion. */
export interface Operation {
  readonly collection: string;
  readonly id: string;
  readonly body: string | null;
  readonly keys: IndexKeys;
}

/** A write-ahead record: all writes of a commit, stored before the first of them, so that any client can complete it. */
export interface Intent {
  /** The number of the commit. */
  readonly commit: number;
  /** The new value of its checkpoint, as JSON; null when the checkpoint is deleted, or there is none. */
  readonly checkpoint: string | null;
  readonly operations: readonly Operation[];
  /** Number of further documents with operations: a document of MongoDB holds at most 16 MB. */
  readonly parts: number;
  readonly counterChanges: readonly CounterChange[];
  /** Collections with unique indexes: their writes are applied in order, since one may free a value that a later one takes. */
  readonly ordered: readonly string[];
}

/** @throws TypeError when a document cannot be indexed */
export function operationsOf(
  writes: readonly Write[],
  collections: ReadonlyMap<string, Collection>,
): Operation[] {
  return writes.map(({ collection: name, id, document }) => {
    const collection = collections.get(name)!;
    const keys = document
      ? indexKeysOf(document, collection.fields)
      : tombstoneKeys(id, uniqueFields(collection));
    return { collection: name, id, body: document && bodyOf(document), keys };
  });
}

export function uniqueFields({ indexes }: Collection): string[] {
  return [
    ...new Set(
      indexes.filter(({ unique }) => unique).flatMap(({ fields }) => fields.map(([field]) => field)),
    ),
  ];
}

const MAX_PART_BYTES = 4 * 1024 * 1024;

/** The keys take at most as much again as the body, and both must fit into one document of MongoDB. */
const MAX_BODY_BYTES = 7 * 1024 * 1024;
const OVERHEAD_BYTES = 512;

/**
 * Splits operations into parts that fit into one document each; the first has room for the counter changes.
 * @throws TypeError for a document that is too large
 */
export function partsOf(operations: readonly Operation[]): Operation[][] {
  const parts: Operation[][] = [[]];
  let size = 0;
  for (const operation of operations) {
    const body = Buffer.byteLength(operation.body ?? '');
    if (body > MAX_BODY_BYTES)
      throw new TypeError(
        `${operation.collection}: document ${operation.id} has ${body} bytes, more than ${MAX_BODY_BYTES}`,
      );
    const bytes = OVERHEAD_BYTES + 2 * body + 3 * operation.id.length;
    if (size + bytes > MAX_PART_BYTES && size > 0) {
      parts.push([]);
      size = 0;
    }
    size += bytes;
    parts.at(-1)!.push(operation);
  }
  return parts;
}
