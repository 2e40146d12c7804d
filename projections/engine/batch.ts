import type { Documents } from '../../contracts/ports/documents';
import type { DocumentKey, Fold } from '../projection';
import type { Deletion } from './deletions';
import type { Entries, Entry, Touching } from './fold';
import { physical } from './generation';
import type { InputKind } from './inputs';
import type { Lane } from './lane';
import { fromStored } from './stored';

/** What each fresh input touches, up to the first for which `touches` throws. */
export function touch<Input>(
  projection: Fold<Input>,
  kind: InputKind<Input>,
  inputs: readonly Input[],
  seen: number,
  entryOf: (key: DocumentKey) => Entry,
): { readonly touching: Touching<Input>[]; readonly error: unknown } {
  const touching: Touching<Input>[] = [];
  try {
    for (const input of inputs) {
      const at = kind.at(input);
      if (at <= seen) continue;
      touching.push({ input, at, entries: projection.touches(input).map(entryOf) });
    }
    return { touching, error: null };
  } catch (error) {
    return { touching, error };
  }
}

export function noEntries({ collections }: Pick<Fold<never>, 'collections'>): Entries {
  return new Map(collections.map(({ name }) => [name, new Map()]));
}

/**
 * The entry of a document among those held. When it is not there yet it is taken from the recent ones, else it is a blank
 * one, which is put to the `blank` ones too.
 */
export function emplace(held: Entries, recent: Entries, key: DocumentKey, blank: Entry[]): Entry {
  const { collection, id } = key;
  const byId = held.get(collection);
  if (!byId) throw new Error(`${collection} is not among its collections`);
  let entry = byId.get(id);
  if (!entry) {
    const known = recent.get(collection)!.get(id);
    entry = known ? { ...known, changed: false } : { key, document: null, seen: -1, changed: false };
    if (!known) blank.push(entry);
    byId.set(id, entry);
  }
  return entry;
}

/** Loads the documents of blank entries, in one read per collection. */
export async function load(
  documents: Documents,
  generation: number,
  lane: Lane,
  blank: readonly Entry[],
  deletions: readonly Deletion[],
): Promise<void> {
  await Promise.all(
    Array.from(byCollection(blank), async ([collection, entries]) => {
      const ids = entries.map(({ key }) => key.id);
      const found = await documents.getMany(physical(collection, generation), ids);
      for (const entry of entries) {
        const stored = found.get(entry.key.id);
        if (stored) Object.assign(entry, fromStored(stored, lane.partition));
      }
    }),
  );
  if (deletions.length === 0) return;
  for (const entry of blank) {
    const deletion = deletions.find(
      ({ collection, id }) => collection === entry.key.collection && id === entry.key.id,
    );
    if (deletion && !entry.document) entry.seen = deletion.seen;
  }
}

function byCollection(entries: readonly Entry[]): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.key.collection);
    if (group) group.push(entry);
    else groups.set(entry.key.collection, [entry]);
  }
  return groups;
}
