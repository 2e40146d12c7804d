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
      touching.push({ input, at, keys });
    }
    return { touching, error: null };
  } catch (error) {
    return { touching, error };
  }
}

/** Loads every document that the inputs touch, in one read per collection. */
export async function load<Input>(
  documents: Documents,
  generation: number,
  lane: Lane,
  inputs: readonly Touching<Input>[],
  deletions: readonly Deletion[],
): Promise<Entries> {
  const entries = new Map<string, Map<string, Entry>>();
  for (const { keys } of inputs) for (const key of keys) blank(entries, key);
  await Promise.all(
    Array.from(entries, async ([collection, byId]) => {
      const found = await documents.getMany(physical(collection, generation), [...byId.keys()]);
      for (const [id, document] of found) byId.set(id, fromStored(document, lane.partition));
    }),
  );
  for (const { collection, id, seen } of deletions) {
    const entry = entries.get(collection)?.get(id);
    if (entry?.document === null) entry.seen = seen;
  }
  return entries;
}

function blank(entries: Map<string, Map<string, Entry>>, { collection, id }: DocumentKey): void {
  let byId = entries.get(collection);
  if (!byId) entries.set(collection, (byId = new Map<string, Entry>()));
  if (!byId.has(id)) byId.set(id, { document: null, seen: -1, changed: false });
}
