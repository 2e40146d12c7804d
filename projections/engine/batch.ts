import type { Documents, Write } from '../../contracts/ports/documents';
import type { DocumentKey, Fold } from '../projection';
import type { Entries, Entry, TouchedInput } from './fold';
import { physicalName } from './generation';
import type { InputKind } from './input-kinds';
import type { InputPartition } from './input-partition';
import { fromStored, toStored } from './stored-document';

/** The entries that each new input touches, up to the first input for which `touches` throws, or before which the batch is full. */
export function touch<Input>(
  projection: Fold<Input>,
  kind: InputKind<Input>,
  inputs: readonly Input[],
  seen: number,
  entryOf: (key: DocumentKey) => Entry,
  isFull: () => boolean,
): { readonly touched: TouchedInput<Input>[]; readonly error: unknown; readonly full: boolean } {
  const touched: TouchedInput<Input>[] = [];
  let last = seen;
  try {
    for (const input of inputs) {
      const sequence = kind.sequenceOf(input);
      if (sequence <= last) continue;
      if (isFull()) return { touched, error: null, full: true };
      last = sequence;
      touched.push({ input, sequence, entries: projection.touches(input).map(entryOf) });
    }
    return { touched, error: null, full: false };
  } catch (error) {
    return { touched, error, full: false };
  }
}

export function noEntries({ collections }: Pick<Fold<never>, 'collections'>): Entries {
  return new Map(collections.map(({ name }) => [name, new Map()]));
}

/**
 * The entry of a document in the batch. A missing one is copied from the batch that is being committed; if it is not there
 * either, a blank one is created and also added to `blank`.
 */
export function entryFor(batch: Entries, committing: Entries, key: DocumentKey, blank: Entry[]): Entry {
  const { collection, id } = key;
  const byId = batch.get(collection);
  if (!byId) throw new Error(`the projection has no collection ${collection}`);
  let entry = byId.get(id);
  if (!entry) {
    const known = committing.get(collection)!.get(id);
    entry = known ? committed(known) : { key, document: null, seen: -1, changed: false, isStored: false };
    if (!known) blank.push(entry);
    byId.set(id, entry);
  }
  return entry;
}

const committed = (entry: Entry): Entry => ({
  ...entry,
  changed: false,
  isStored: entry.changed ? entry.document !== null : entry.isStored,
});

/** Loads the documents of blank entries, in one read per collection. */
export async function load(
  documents: Documents,
  generation: number,
  { partition }: InputPartition,
  blank: readonly Entry[],
): Promise<void> {
  await Promise.all(
    Array.from(byCollection(blank), async ([collection, entries]) => {
      const ids = entries.map(({ key }) => key.id);
      const found = await documents.getMany(physicalName(collection, generation), ids);
      for (const entry of entries) {
        const stored = found.get(entry.key.id);
        if (stored) Object.assign(entry, fromStored(stored, partition), { isStored: true });
      }
    }),
  );
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

/** The changed entries as writes to a generation. */
export function writesOf(entries: Entries, generation: number, { partition }: InputPartition): Write[] {
  const writes: Write[] = [];
  for (const [collection, byId] of entries)
    for (const [id, { document, seen, changed, isStored }] of byId) {
      if (!changed) continue;
      const stored = document && toStored(document, seen, partition);
      const isNew = stored !== null && !isStored;
      writes.push({ collection: physicalName(collection, generation), id, document: stored, isNew });
    }
  return writes;
}
