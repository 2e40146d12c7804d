import type { Documents } from '../../infra/documents/port';
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
  const collections = new Set(projection.collections.map(({ name }) => name));
  try {
    for (const input of inputs) {
      const at = kind.at(input);
      if (at <= seen) continue;
      const keys = projection.touches(input);
      for (const { collection } of keys)
        if (!collections.has(collection)) throw new Error(`${collection} is not among its collections`);
      touching.push({ input, at, entries: keys.map(entryOf) });
    }
    return { touching, error: null };
  } catch (error) {
    return { touching, error };
  }
}

/** The entry of a document among those in hand; a blank one, when there is none, which is put to the `blank` ones too. */
export function emplace(entries: Entries, key: DocumentKey, blank: Entry[]): Entry {
  let byId = entries.get(key.collection);
  if (!byId) entries.set(key.collection, (byId = new Map<string, Entry>()));
  let entry = byId.get(key.id);
  if (!entry) {
    byId.set(key.id, (entry = { key, document: null, seen: -1, changed: false }));
    blank.push(entry);
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
