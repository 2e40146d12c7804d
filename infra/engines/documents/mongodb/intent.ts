import type { Write } from '../../../../contracts/ports/documents';
import type { Collection } from './catalog';
import type { Tally } from './counters';
import { type Keys, keysOf, keysOfGone } from './layout';

/** One document as a commit leaves it; without a body it is deleted. */
export interface Operation {
  readonly collection: string;
  readonly id: string;
  readonly body: string | null;
  readonly k: Keys;
}

/** All that a commit will do, written down before it does any of it, so that anybody can finish it. */
export interface Intent {
  readonly n: number;
  /** The checkpoint it leads to, as JSON. */
  readonly value: string | null;
  readonly operations: readonly Operation[];
  /** How many more documents hold further operations: one holds no more than 16 MB. */
  readonly parts: number;
  readonly tallies: readonly Tally[];
  /** Collections in which a value may be freed by one operation and taken by a later one. */
  readonly inOrder: readonly string[];
  /** What to announce. */
  readonly collections: readonly string[];
}

/** @throws TypeError when a document cannot be indexed */
export function operationsOf(
  writes: readonly Write[],
  collections: ReadonlyMap<string, Collection>,
): Operation[] {
  return writes.map(({ collection, id, document }) => {
    const { fields } = collections.get(collection)!;
    const k = document
      ? keysOf(document, fields)
      : keysOfGone(id, uniqueFields(collections.get(collection)!));
    return { collection, id, body: document && JSON.stringify(document), k };
  });
}

export function uniqueFields({ indexes }: Collection): string[] {
  return [
    ...new Set(
      indexes.filter(({ unique }) => unique).flatMap(({ fields }) => fields.map(([field]) => field)),
    ),
  ];
}

const PART = 4 * 1024 * 1024;

/** Bytes of a body: as much again are its keys at most, and both fit into what MongoDB holds in one document. */
const MOST = 7 * 1024 * 1024;
const ENVELOPE = 512;

/**
 * Stretches of operations that fit into one document each, with room for tallies beside the first.
 * @throws TypeError for a document that is too large
 */
export function partsOf(operations: readonly Operation[]): Operation[][] {
  const parts: Operation[][] = [[]];
  let size = 0;
  for (const operation of operations) {
    const body = Buffer.byteLength(operation.body ?? '');
    if (body > MOST)
      throw new TypeError(`${operation.collection}: document ${operation.id} has ${body} bytes`);
    const bytes = ENVELOPE + 2 * body + 3 * operation.id.length;
    if (size + bytes > PART && size > 0) {
      parts.push([]);
      size = 0;
    }
    size += bytes;
    parts.at(-1)!.push(operation);
  }
  return parts;
}
